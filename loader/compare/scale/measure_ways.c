// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measure each way with each number and each end, the cheapest first, until time is up. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/compare/scale/scale_internal.h"

#define TRICK_NS 100000000u	/* a close that takes less needs no trick */
#define TRICKS_MOST 100		/* tricks are tried with at most this many */

/* One measurement that remains to be done. */
struct next {
	struct scale_measured *of;
	unsigned int i;		/* index of the number */
	enum scale_end end;
	double ns;		/* that it will take */
};

/*
 * One number cannot tell the fixed cost from the cost of each attachment. Call it all fixed for a
 * multi link, and all per attachment otherwise.
 */
static double estimate(const struct scale_all *all, const struct next *next)
{
	const struct scale_cell *close = &next->of->cells[next->i][SCALE_CLOSE];
	const struct scale_fit fit = scale_fit_of(all, next->of, SCALE_CLOSE, SCALE_FIT_WALL);

	if (close->measured)
		return close->wall_ns;
	if (fit.points == 1 && next->of->way->bind == SCALE_MULTI)
		return fit.each * all->words.numbers[0];
	return fit.fixed + all->words.numbers[next->i] * fit.each;
}

/* The models are fitted to closing in order. */
static double rank(const struct next *next)
{
	return next->ns * (next->end + 1);
}

static bool is_open(const struct scale_cell *c)
{
	return !c->measured && !c->skipped;
}

/* A trick is only useful for many descriptors that take long to close. */
static bool is_wanted(const struct scale_all *all, const struct next *next)
{
	const struct scale_cell *close = &next->of->cells[next->i][SCALE_CLOSE];

	if (next->end == SCALE_CLOSE)
		return true;
	if (!close->measured || next->end < SCALE_FULL_ENDS)
		return close->measured;
	return all->words.numbers[next->i] <= TRICKS_MOST && close->f.fds > 1 &&
	       close->f.detach_ns >= TRICK_NS && next->of->way->kind >= SCALE_TRACEPOINT &&
	       all->words.numbers[next->i] > 1 &&
	       (next->end != SCALE_EVENTS_FIRST || next->of->way->bind == SCALE_LINK);
}

/* Return the smallest number left to measure with this end. Tricks leave some numbers out. */
static bool find_number(const struct scale_all *all, struct next *next)
{
	for (next->i = 0; next->i < all->words.nr; next->i++) {
		if (!is_open(&next->of->cells[next->i][next->end]))
			continue;
		if (is_wanted(all, next) || next->end < SCALE_FULL_ENDS)
			return is_wanted(all, next);
	}
	return false;
}

static bool find_next(struct scale_all *all, struct next *best)
{
	struct next next;

	best->of = NULL;
	for (unsigned int w = 0; w < all->nr; w++)
		for (int end = 0; end < SCALE_NR_ENDS; end++) {
			next = (struct next){ .of = &all->ways[w], .end = end };
			if (!find_number(all, &next))
				continue;
			next.ns = estimate(all, &next);
			if (!best->of || rank(&next) < rank(best))
				*best = next;
		}
	return best->of;
}

/* Skip the @from-th and later numbers with this end; SCALE_NR_ENDS: with every end. */
static void skip(const struct scale_all *all, struct scale_measured *of, unsigned int end,
		 unsigned int from, const char *why)
{
	for (unsigned int i = from; i < all->words.nr; i++)
		for (unsigned int e = 0; e < SCALE_NR_ENDS; e++)
			if ((e == end || end == SCALE_NR_ENDS) && is_open(&of->cells[i][e]))
				of->cells[i][e].skipped = why;
}

static void progress(const struct scale_all *all, const struct next *next, uint64_t end_ns)
{
	const uint64_t now = sys_monotonic_ns();

	if (!all->on_terminal)
		return;
	fprintf(stderr, "\r\033[K");
	if (next)
		fprintf(stderr, "%s %s, %u, %s", scale_kind_name(next->of->way->kind),
			next->of->way->name, all->words.numbers[next->i],
			scale_end_names[next->end]);
	if (next && end_ns)
		fprintf(stderr, ": at most %.0f s left", end_ns > now ? (end_ns - now) / 1e9 : 0);
	else if (next && next->ns > 1e9)
		fprintf(stderr, ": about %.0f s", next->ns / 1e9);
	fflush(stderr);
}

/* Return 0 or -EINTR; a refusal is a result. */
static int measure_cell(struct scale_all *all, const struct next *next)
{
	struct scale_measured *of = next->of;
	struct scale_cell *c = &of->cells[next->i][next->end];
	const struct scale_request req = {
		.sys = all->sys, .way = of->way, .locations = &all->locations,
		.waits = all->waits, .number = all->words.numbers[next->i], .end = next->end,
		.hits = next->end == SCALE_CLOSE, .stop = all->stop, .arg = all->arg,
	};
	struct error err = { 0 };
	const uint64_t begin = sys_monotonic_ns();
	int ret = scale_run(&req, &c->f, &err);

	c->wall_ns = sys_monotonic_ns() - begin - c->f.second_wall_ns;
	c->measured = !ret;
	if (!ret || ret == -EINTR || of->refused_at) {
		c->skipped = ret && ret != -EINTR ? "refused" : NULL;
		error_clear(&err);
		return ret == -EINTR ? ret : 0;
	}
	/* Larger numbers are refused for the same reason. */
	of->refused = err;
	of->refused_at = req.number;
	skip(all, of, SCALE_NR_ENDS, next->i, "refused");
	return 0;
}

static void find_locations(struct scale_all *all, struct scale_measured *of)
{
	const int nr = scale_locations_add(&all->locations, of->way->kind, &of->refused);

	if (nr < 0) {
		of->refused_at = all->words.numbers[0];
		skip(all, of, SCALE_NR_ENDS, 0, "refused");
	}
	for (unsigned int i = 0; nr >= 0 && i < all->words.nr; i++)
		if (all->words.numbers[i] > (unsigned int)nr)
			skip(all, of, SCALE_NR_ENDS, i, "too few");
}

/*
 * Opening the first event of a task takes a grace period, after which the scheduler looks for
 * events (perf_sched_events in kernel/events/core.c). Keep one open, so that no way pays for that.
 */
static int open_first_event(struct sys *sys)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0,
					.config = PERF_COUNT_SW_DUMMY };

	return sys_perf_event_open(sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void scale_measure_ways(struct scale_all *all)
{
	int first_fd = open_first_event(all->sys);
	const uint64_t end = all->budget_ns ? sys_monotonic_ns() + all->budget_ns : 0;
	struct next next;
	int ret = 0;

	for (unsigned int w = 0; w < all->nr; w++)
		find_locations(all, &all->ways[w]);
	while (!ret && find_next(all, &next)) {
		/* Always try one attachment: it shows what is refused. */
		if (end && (next.i || next.end) && sys_monotonic_ns() + next.ns > end) {
			skip(all, next.of, next.end, next.i, "time");
			continue;
		}
		progress(all, &next, end);
		ret = measure_cell(all, &next);
	}
	progress(all, NULL, 0);
	if (first_fd >= 0)
		sys_close_fd(all->sys, &first_fd);
	for (unsigned int w = 0; ret && w < all->nr; w++)
		skip(all, &all->ways[w], SCALE_NR_ENDS, 0, "stopped");
}
