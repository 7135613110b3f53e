// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Split the time to load an object: measure each bpf(2), and take the minimum of all rounds. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "test/bench/figure.h"
#include "test/bench/split.h"

#define MAX_OBJECTS 24

static struct {
	const char *object;
	double least_ms;	/* outside of bpf(2) */
	unsigned int bpf_calls;
} results[MAX_OBJECTS];
static unsigned int nr_results;

static double clock_cost_ms;	/* of split_enter() and split_leave() themselves */

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

void split_enter(struct split *s)
{
	s->bpf_calls++;
	s->enter_ms = now_ms();
}

void split_leave(struct split *s)
{
	const int saved = errno;

	s->in_bpf_ms += now_ms() - s->enter_ms;
	errno = saved;
}

void split_begin(struct split *s)
{
	*s = (struct split){ .begin_ms = now_ms() };
}

static double outside_ms(const struct split *s)
{
	return now_ms() - s->begin_ms - s->in_bpf_ms - s->bpf_calls * clock_cost_ms;
}

void split_prepare(void)
{
	const unsigned int pairs = 100;
	double least = 1;

	for (int i = 0; i < 50; i++) {
		struct split s;
		double ms;

		split_begin(&s);
		for (unsigned int n = 0; n < pairs; n++) {
			split_enter(&s);
			split_leave(&s);
		}
		ms = outside_ms(&s) / pairs;
		least = ms < least ? ms : least;
	}
	clock_cost_ms = least;
}

void split_end(const struct split *s, const char *object)
{
	const double ms = outside_ms(s);
	unsigned int i = 0;

	while (i < nr_results && strcmp(results[i].object, object))
		i++;
	if (i == MAX_OBJECTS)
		return;
	if (i == nr_results) {
		results[nr_results++].object = object;
		results[i].least_ms = ms;
	}
	results[i].least_ms = ms < results[i].least_ms ? ms : results[i].least_ms;
	results[i].bpf_calls = s->bpf_calls;
}

/* ".../large-1000-500-40-10.bpf.o" has 1000 maps, 500 programs, 40 relocations in each, 10 CO-RE. */
static void name_of(const char *object, char *name, size_t size)
{
	unsigned int maps, progs, relocs, core;
	const char *base = strrchr(object, '/');

	if (sscanf(base ? base + 1 : object, "large-%u-%u-%u-%u", &maps, &progs, &relocs,
		   &core) == 4)
		snprintf(name, size, "%u maps, %u programs, %u relocations (%u CO-RE)", maps, progs,
			 progs * (relocs + core), progs * core);
	else
		snprintf(name, size, "%s", object);
}

void split_report(const char *subject)
{
	for (unsigned int i = 0; i < nr_results; i++) {
		char name[96], calls[128];

		name_of(results[i].object, name, sizeof(name));
		snprintf(calls, sizeof(calls), "%s: bpf(2)", name);
		figure("scale", name, subject, "ms", results[i].least_ms);
		figure("scale", calls, subject, "", results[i].bpf_calls);
	}
}
