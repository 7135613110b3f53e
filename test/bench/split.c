// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How the time of loading an object is split: clocks around bpf(2), the least and the median. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test/bench/split.h"

#define MAX_ROUNDS 64
#define MAX_OBJECTS 8

static struct {
	const char *object;
	double in_bpf[MAX_ROUNDS], wall[MAX_ROUNDS], cpu[MAX_ROUNDS];	/* the last two: outside */
	unsigned int nr, bpf_calls;
} results[MAX_OBJECTS];
static unsigned int nr_results;

static struct split_time clock_cost;	/* of split_enter() and split_leave(), outside of bpf(2) */

static double now_ms(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

void split_enter(struct split *s)
{
	s->bpf_calls++;
	s->enter.wall = now_ms(CLOCK_MONOTONIC);
	s->enter.cpu = now_ms(CLOCK_THREAD_CPUTIME_ID);
}

void split_leave(struct split *s)
{
	const int saved = errno;

	s->in_bpf.cpu += now_ms(CLOCK_THREAD_CPUTIME_ID) - s->enter.cpu;
	s->in_bpf.wall += now_ms(CLOCK_MONOTONIC) - s->enter.wall;
	errno = saved;
}

void split_begin(struct split *s)
{
	*s = (struct split){ 0 };
	s->begin.cpu = now_ms(CLOCK_THREAD_CPUTIME_ID);
	s->begin.wall = now_ms(CLOCK_MONOTONIC);
}

static struct split_time outside(const struct split *s)
{
	const double wall = now_ms(CLOCK_MONOTONIC) - s->begin.wall;
	const double cpu = now_ms(CLOCK_THREAD_CPUTIME_ID) - s->begin.cpu;

	return (struct split_time){
		.wall = wall - s->in_bpf.wall - s->bpf_calls * clock_cost.wall,
		.cpu = cpu - s->in_bpf.cpu - s->bpf_calls * clock_cost.cpu,
	};
}

void split_prepare(void)
{
	const unsigned int pairs = 100;
	struct split_time least = { 1, 1 };

	for (int i = 0; i < 50; i++) {
		struct split_time t;
		struct split s;

		split_begin(&s);
		for (unsigned int n = 0; n < pairs; n++) {
			split_enter(&s);
			split_leave(&s);
		}
		t = outside(&s);
		least.wall = t.wall / pairs < least.wall ? t.wall / pairs : least.wall;
		least.cpu = t.cpu / pairs < least.cpu ? t.cpu / pairs : least.cpu;
	}
	clock_cost = least;
}

void split_end(const struct split *s, const char *object)
{
	const struct split_time t = outside(s);
	unsigned int i = 0, nr;

	while (i < nr_results && strcmp(results[i].object, object))
		i++;
	if (i == MAX_OBJECTS || (i < nr_results && results[i].nr == MAX_ROUNDS))
		return;
	if (i == nr_results)
		results[nr_results++].object = object;
	nr = results[i].nr++;
	results[i].in_bpf[nr] = s->in_bpf.wall;
	results[i].wall[nr] = t.wall;
	results[i].cpu[nr] = t.cpu;
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
		const unsigned int nr = results[i].nr;
		const double in_bpf = median(results[i].in_bpf, nr);
		const double wall = median(results[i].wall, nr), cpu = median(results[i].cpu, nr);

		printf("%-8s %-28s %4u calls of bpf(2), %7.1f ms; outside, least and median: "
		       "%6.2f %6.2f ms on the CPU, %6.2f %6.2f on the wall\n",
		       name, base ? base + 1 : results[i].object, results[i].bpf_calls, in_bpf,
		       results[i].cpu[0], cpu, results[i].wall[0], wall);
	}
}
