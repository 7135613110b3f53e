// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How the time of loading an object is split: clocks around bpf(2), medians of rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test/bench/split.h"

#define MAX_ROUNDS 64
#define MAX_OBJECTS 8

static struct {
	const char *object;
	double wall_ms[MAX_ROUNDS], in_bpf_ms[MAX_ROUNDS], outside_ms[MAX_ROUNDS];
	unsigned int nr, bpf_calls;
} results[MAX_OBJECTS];
static unsigned int nr_results;

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

void split_enter(struct split *s)
{
	s->bpf_calls++;
	s->enter_ms = now_ms();
}

void split_leave(struct split *s)
{
	s->in_bpf_ms += now_ms() - s->enter_ms;
}

void split_begin(struct split *s)
{
	*s = (struct split){ .begin_ms = now_ms() };
}

void split_end(const struct split *s, const char *object)
{
	const double wall_ms = now_ms() - s->begin_ms;
	unsigned int i = 0, nr;

	while (i < nr_results && strcmp(results[i].object, object))
		i++;
	if (i == MAX_OBJECTS || (i < nr_results && results[i].nr == MAX_ROUNDS))
		return;
	if (i == nr_results)
		results[nr_results++].object = object;
	nr = results[i].nr++;
	results[i].wall_ms[nr] = wall_ms;
	results[i].in_bpf_ms[nr] = s->in_bpf_ms;
	results[i].outside_ms[nr] = wall_ms - s->in_bpf_ms;
	results[i].bpf_calls = s->bpf_calls;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *v, unsigned int nr)
{
	qsort(v, nr, sizeof(*v), compare);
	return v[nr / 2];
}

void split_report(const char *name)
{
	for (unsigned int i = 0; i < nr_results; i++) {
		const char *base = strrchr(results[i].object, '/');
		const double outside = median(results[i].outside_ms, results[i].nr);

		printf("%-8s %-28s %8.2f ms = %8.2f in bpf(2) (%u calls) + %7.2f outside (least %.2f)\n",
		       name, base ? base + 1 : results[i].object,
		       median(results[i].wall_ms, results[i].nr),
		       median(results[i].in_bpf_ms, results[i].nr), results[i].bpf_calls, outside,
		       results[i].outside_ms[0]);
	}
}
