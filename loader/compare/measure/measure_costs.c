// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Measure what an event costs the task in which it occurs: the CPU time of the same work without
 * the event, with it, and with a program on it.
 */
#include <time.h>

#include "loader/base/calls/looking.h"
#include "loader/compare/measure/compare_internal.h"

#define LOOP_NS 2000000	/* well above the resolution of a clock */
#define WAIT_NS (100 * UINT64_C(1000000))
#define LOOPS 5
#define UNITS_MAX (1u << 24)
#define SAMPLES_MIN 10	/* with fewer, as when the kernel throttles, single ones matter too much */

/* The same work, repeated LOOPS times. Disturbances only make it slower, so the fastest counts. */
struct loop {
	unsigned int units;	/* units of work per repetition */
	uint64_t ns;		/* CPU time of the fastest repetition; 0: not measured */
	uint64_t most_ns;	/* of the slowest */
	uint64_t runs;		/* runs of the built-in program during the work */
};

/* Excludes sleep and the time of other tasks on this CPU. */
static uint64_t cpu_ns(void)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static uint64_t take(const struct compare_subject *s, unsigned int units)
{
	void (*unit)(void) = s->work->load ? s->work->load : s->work->unit;
	const uint64_t begin = cpu_ns();

	for (unsigned int i = 0; i < units; i++)
		unit();
	return cpu_ns() - begin;
}

/*
 * Double the number of units until they take LOOP_NS: of CPU time for work that computes, otherwise
 * of real time. Some machines count CPU time in ticks, so work that sleeps may have none.
 */
static unsigned int how_many(const struct compare_subject *s)
{
	unsigned int units = 1;
	uint64_t begin, ns, waited;

	for (;; units *= 2) {
		begin = sys_monotonic_ns();
		ns = take(s, units);
		waited = sys_monotonic_ns() - begin;
		if (units >= UNITS_MAX || waited >= WAIT_NS ||
		    (s->work->load ? ns >= LOOP_NS : ns && waited >= LOOP_NS))
			return units;
	}
}

/*
 * Measure @units of work, or if 0, as many as take LOOP_NS. If no repetition took any CPU time,
 * repeat for at most WAIT_NS: with an unreliable clock source, CPU time advances only with the
 * tick, which may be late.
 */
static struct loop run_loops(const struct compare_subject *s, unsigned int units)
{
	struct loop loop = { .units = units ? units : how_many(s) };
	struct sys_looking looking = sys_looking(WAIT_NS);
	struct firing_value before = { 0 }, after = { 0 };

	for (int i = 0; i < LOOPS || (!loop.ns && sys_look_again(&looking)); i++) {
		uint64_t ns;

		if (compare_stopped(s))
			break;
		if (firing_prog_read(s->sys, &s->prog, &before) < 0)
			break;
		ns = take(s, loop.units);
		if (firing_prog_read(s->sys, &s->prog, &after) < 0)
			break;
		loop.most_ns = ns > loop.most_ns ? ns : loop.most_ns;
		if (!ns || (loop.ns && ns >= loop.ns))
			continue;
		loop.ns = ns;
		loop.runs = after.own.runs - before.own.runs;
	}
	return loop;
}

/* With the event, and with a program on it; opened only once, because closing takes longest. */
struct loops {
	struct loop event, program;
};

static struct loops with_event(const struct compare_subject *s, const struct compare_cell *cell,
			       int prog_fd, unsigned int units)
{
	struct loops loops = { 0 };
	struct compare_event e;
	int ret = compare_open(s, cell, &e, NULL);

	if (!ret)
		ret = compare_enable(s, &e, NULL);
	if (!ret)
		loops.event = run_loops(s, units);
	if (!ret)
		ret = compare_bind(s, cell, &e, prog_fd, NULL);
	if (!ret)
		loops.program = run_loops(s, units);
	compare_close(s, &e);
	return loops;
}

/* Add the fastest repetition as @key, and the slowest as @most, divided by @happenings. */
static bool add_ns(struct json_object *cost, const char *key, const char *most,
		   const struct loop *loop, uint64_t happenings)
{
	if (!loop->ns || !happenings)
		return value_add_null(cost, key);
	return value_add_uint(cost, key, (loop->ns + happenings / 2) / happenings) &&
	       value_add_uint(cost, most, (loop->most_ns + happenings / 2) / happenings);
}

/* Each unit of work is one event. */
static bool by_unit(const struct compare_subject *s, const struct compare_cell *cell, int prog_fd,
		    struct json_object *cost)
{
	const struct loop nothing = run_loops(s, 0);
	const struct loops with = with_event(s, cell, prog_fd, 0);

	return doc_add_text(cost, "unit", s->work->what) &&
	       add_ns(cost, "nothing_ns", "nothing_most_ns", &nothing, nothing.units) &&
	       add_ns(cost, "event_ns", "event_most_ns", &with.event, with.event.units) &&
	       add_ns(cost, "program_ns", "program_most_ns", &with.program, with.program.units);
}

/*
 * A sampling event fires now and then during the same computation. The built-in program counts the
 * samples; compare the time between samples.
 */
static bool by_sample(const struct compare_subject *s, const struct compare_cell *cell, int prog_fd,
		      struct json_object *cost)
{
	const unsigned int units = 2 * how_many(s);
	const struct loop nothing = run_loops(s, units);
	const struct loops counted = with_event(s, cell, s->prog.prog_fd, units),
			   with = prog_fd == s->prog.prog_fd ?
					  counted :
					  with_event(s, cell, prog_fd, units);
	const uint64_t taken = counted.program.runs, samples = taken < SAMPLES_MIN ? 0 : taken;

	return doc_add_text(cost, "unit", "computes from one sample to the next") &&
	       value_add_uint(cost, "samples", taken) &&
	       add_ns(cost, "nothing_ns", "nothing_most_ns", &nothing, samples) &&
	       add_ns(cost, "event_ns", "event_most_ns", &with.event, samples) &&
	       add_ns(cost, "program_ns", "program_most_ns", &with.program, samples);
}

bool compare_costs(const struct compare_subject *s, struct json_object *cells,
		   const bool fire[COMPARE_NR_CELLS])
{
	const int prog_fd = s->object ? s->object->prog_fd : s->prog.prog_fd;
	bool ok = true;

	for (int i = 0; ok && i < COMPARE_NR_CELLS && !compare_stopped(s); i++) {
		struct json_object *cell = json_object_array_get_idx(cells, i), *cost;

		/* The cost of an event that may never fire is unknown. */
		if (!fire[i] || !s->work->certain) {
			ok = value_add_null(cell, "cost");
			continue;
		}
		compare_progress(s, &s->cells[i], "what an event costs");
		cost = json_object_new_object();
		ok = value_add(cell, "cost", cost) &&
		     (s->work->load ? by_sample(s, &s->cells[i], prog_fd, cost) :
				      by_unit(s, &s->cells[i], prog_fd, cost));
	}
	return ok;
}
