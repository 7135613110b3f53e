// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure how long each step takes, in rounds that visit one cell after another. */
#include <errno.h>
#include <stdlib.h>

#include "loader/compare/measure/record_calls.h"

#define ROUNDS_MAX 200	/* enough for the 99th percentile */
#define ROUNDS_MIN COMPARE_NR_CELLS	/* enough for each cell to follow every other one */

/* The times of one step, for the rounds in which it was reached. */
struct samples {
	uint64_t *ns;	/* owned */
	unsigned int nr;
};

struct timing {
	const struct compare_subject *s;
	unsigned int rounds, max;
	bool opens[COMPARE_NR_CELLS];
	struct samples of[COMPARE_NR_CELLS][COMPARE_NR_STEPS];
};

/* Return the number of steps that succeed, up to COMPARE_DETACH. */
static unsigned int attach(const struct compare_subject *timed, const struct compare_cell *cell,
			   struct recorder *r, struct compare_event *e)
{
	const int prog_fd = timed->prog.prog_fd;

	if (compare_open(timed, cell, e, NULL) < 0)
		return COMPARE_OPEN;
	r->step = COMPARE_BIND;
	if (prog_fd < 0 || compare_bind(timed, cell, e, prog_fd, NULL) < 0)
		return COMPARE_BIND;
	r->step = COMPARE_ENABLE;
	return compare_enable(timed, e, NULL) < 0 ? COMPARE_ENABLE : COMPARE_DETACH;
}

/* Drop the time of a refused step: most of it was spent looking for the cause. */
static void keep(struct timing *t, int cell, unsigned int reached,
		 const uint64_t ns[COMPARE_NR_STEPS])
{
	struct samples *of = t->of[cell];

	for (unsigned int i = 0; i < reached; i++)
		of[i].ns[of[i].nr++] = ns[i];
	if (reached)
		of[COMPARE_DETACH].ns[of[COMPARE_DETACH].nr++] = ns[COMPARE_DETACH];
	t->opens[cell] = reached;
}

static void take_one(struct timing *t, int cell)
{
	struct compare_subject timed = *t->s;
	struct compare_event e;
	struct recorder r;
	unsigned int reached;

	recorder_begin(&r, t->s->sys, false);
	timed.sys = &r.sys;
	reached = attach(&timed, &t->s->cells[cell], &r, &e);
	r.step = COMPARE_DETACH;
	compare_close(&timed, &e);
	keep(t, cell, reached, r.ns);
	recorder_end(&r);
}

/*
 * After a cell is closed, the kernel still has work to do, which delays the next one. So in four
 * rounds every cell follows every other one once: Williams, "Experimental Designs Balanced for the
 * Estimation of Residual Effects of Treatments", 1949.
 */
static const unsigned char order[COMPARE_NR_CELLS][COMPARE_NR_CELLS] = {
	{ 0, 1, 3, 2 }, { 1, 2, 0, 3 }, { 2, 3, 1, 0 }, { 3, 0, 2, 1 }
};

/* Do not retry a cell that could not be opened. */
static void take_all(struct timing *t)
{
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		const int cell = order[t->rounds % COMPARE_NR_CELLS][i];

		if (t->opens[cell])
			take_one(t, cell);
	}
	t->rounds++;
}

static void measure(struct timing *t, const struct compare_taken first[COMPARE_NR_CELLS])
{
	const uint64_t end = sys_monotonic_ns() + t->s->budget_ns;
	bool any = false;

	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		keep(t, i, first[i].reached, first[i].ns);
		any = any || first[i].reached;
	}
	t->rounds = any;
	while (any && t->rounds < t->max && !compare_stopped(t->s)) {
		if (!t->s->rounds && t->rounds >= ROUNDS_MIN && sys_monotonic_ns() >= end)
			break;
		take_all(t);
	}
}

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t compare_percentile(const uint64_t *sorted, unsigned int nr, unsigned int percent)
{
	return sorted[(nr * percent + 99) / 100 - 1];
}

static bool add_step(struct json_object *times, const char *name, struct samples *samples)
{
	struct json_object *o;

	if (!samples->nr)
		return value_add_null(times, name);
	qsort(samples->ns, samples->nr, sizeof(*samples->ns), by_size);
	o = json_object_new_object();
	return value_add(times, name, o) &&
	       value_add_uint(o, "median_ns", compare_percentile(samples->ns, samples->nr, 50)) &&
	       value_add_uint(o, "p25_ns", compare_percentile(samples->ns, samples->nr, 25)) &&
	       value_add_uint(o, "p75_ns", compare_percentile(samples->ns, samples->nr, 75)) &&
	       value_add_uint(o, "p99_ns", compare_percentile(samples->ns, samples->nr, 99)) &&
	       value_add_uint(o, "rounds", samples->nr);
}

static bool add(struct timing *t, struct json_object *cells)
{
	bool ok = true;

	for (int i = 0; ok && i < COMPARE_NR_CELLS; i++) {
		struct json_object *cell = json_object_array_get_idx(cells, i),
				   *times = json_object_new_object();

		ok = value_add(cell, "times", times);
		for (int step = 0; ok && step < COMPARE_NR_STEPS; step++)
			ok = add_step(times, compare_step_names[step], &t->of[i][step]);
	}
	return ok;
}

bool compare_times(const struct compare_subject *s, struct json_object *event,
		   struct json_object *cells, const struct compare_taken first[COMPARE_NR_CELLS])
{
	struct timing t = { .s = s, .max = s->rounds ? s->rounds : ROUNDS_MAX };
	struct samples *all = &t.of[0][0];
	bool ok = true;

	for (int i = 0; i < COMPARE_NR_CELLS * COMPARE_NR_STEPS; i++) {
		all[i].ns = calloc(t.max, sizeof(*all[i].ns));
		ok = ok && all[i].ns;
	}
	if (ok) {
		measure(&t, first);
		ok = value_add_uint(event, "rounds", t.rounds) && add(&t, cells);
	}
	for (int i = 0; i < COMPARE_NR_CELLS * COMPARE_NR_STEPS; i++)
		free(all[i].ns);
	return ok;
}
