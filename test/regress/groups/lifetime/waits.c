// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counts the grace periods that attaching and closing wait for. The counts of one kernel are
 * compared with each other, and never the times.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/scale/scale_internal.h"
#include "test/regress/harness/regress.h"

#define MANY 20
#define TRIES 4

struct row {
	enum scale_kind kind;
	const char *way;
};

/* The counters and the locations are of one test. */
struct counting {
	struct regress *t;
	struct scale_locations locations;
	struct waits *waits;
};

static const struct scale_way *find_way(enum scale_kind kind, const char *name)
{
	for (unsigned int i = 0; i < SCALE_NR_WAYS; i++)
		if (scale_ways[i].kind == kind && !strcmp(scale_ways[i].name, name))
			return &scale_ways[i];
	abort();
}

static void begin(struct counting *c, struct regress *t, enum scale_kind kind)
{
	struct error err = { 0 };
	int nr;

	*c = (struct counting){ .t = t, .locations.sys = t->sys };
	if (waits_begin(t->sys, &c->waits, &err) < 0)
		regress_skip(t, "waits cannot be counted here: %s", err.what);
	nr = scale_locations_add(&c->locations, kind, &err);
	if (nr < MANY)
		regress_skip(t, "%s", nr < 0 ? err.what : "this kernel has too few locations");
}

static void end(struct counting *c)
{
	waits_end(c->waits);
	scale_locations_free(&c->locations);
}

/* Attach @number times and close in order. */
static void count(struct counting *c, const struct scale_way *way, unsigned int number,
		  struct scale_figures *f)
{
	const struct scale_request req = {
		.sys = c->t->sys, .way = way, .locations = &c->locations, .waits = c->waits,
		.number = number, .end = SCALE_CLOSE,
	};
	struct error err = { 0 };

	if (scale_run(&req, f, &err) < 0)
		regress_skip(c->t, "%u by %s: %s", number, way->name, err.what);
	if (f->attach_waits.lost || f->detach_waits.lost)
		regress_skip(c->t, "samples were lost on a busy machine");
}

/*
 * The grace periods that do not depend on the moment. Registering a uprobe takes write locks of
 * percpu_rw_semaphores, which call synchronize_rcu() only if none was taken within the last grace
 * period (rcu_sync_enter() of kernel/rcu/sync.c).
 */
static uint64_t periods(const struct wait_counts *w, enum scale_kind kind)
{
	const bool user = kind == SCALE_UPROBE || kind == SCALE_USDT;
	uint64_t sum = 0;

	for (int i = user ? WAIT_RCU + 1 : WAIT_RCU; i < WAIT_NR_PERIODS; i++)
		sum += w->nr[i];
	return sum;
}

/*
 * A program of another test on sched:sched_switch that returns 0 takes samples away, so that a count
 * may be too low: @few is counted again while it is smaller than @many allows.
 */
static void count_again(struct counting *c, const struct scale_way *way, unsigned int number,
			const struct scale_figures *many, struct scale_figures *few)
{
	for (int i = 0; i < TRIES; i++) {
		struct scale_figures f;

		if (periods(&many->detach_waits, way->kind) <=
		    periods(&few->detach_waits, way->kind) &&
		    periods(&many->attach_waits, way->kind) <=
		    periods(&few->attach_waits, way->kind))
			return;
		count(c, way, number, &f);
		if (periods(&f.detach_waits, way->kind) > periods(&few->detach_waits, way->kind))
			few->detach_waits = f.detach_waits;
		if (periods(&f.attach_waits, way->kind) > periods(&few->attach_waits, way->kind))
			few->attach_waits = f.attach_waits;
	}
}

static void saw(struct regress *t, const char *key, const struct wait_counts *w)
{
	regress_saw(t, key, "%u rcu, %u tasks, %u tasks_trace, %u srcu", (unsigned int)w->nr[WAIT_RCU],
		    (unsigned int)w->nr[WAIT_TASKS], (unsigned int)w->nr[WAIT_TASKS_TRACE],
		    (unsigned int)w->nr[WAIT_SRCU]);
}

static void multi_waits_once(struct regress *t)
{
	const struct row *row = t->data;
	const struct scale_way *way = find_way(row->kind, row->way);
	struct scale_figures one, many;
	struct counting c;

	begin(&c, t, row->kind);
	count(&c, way, 1, &one);
	count(&c, way, MANY, &many);
	count_again(&c, way, 1, &many, &one);
	end(&c);
	regress_expect(t, periods(&many.attach_waits, row->kind) <=
				  periods(&one.attach_waits, row->kind),
		       "attaching to %d waits %u times, to one %u times", MANY,
		       (unsigned int)periods(&many.attach_waits, row->kind),
		       (unsigned int)periods(&one.attach_waits, row->kind));
	regress_expect(t, periods(&many.detach_waits, row->kind) <=
				  periods(&one.detach_waits, row->kind),
		       "closing %d waits %u times, one %u times", MANY,
		       (unsigned int)periods(&many.detach_waits, row->kind),
		       (unsigned int)periods(&one.detach_waits, row->kind));
	saw(t, "close", &many.detach_waits);
}

/* The first perf event of a machine waits once: perf_sched_events of kernel/events/core.c. */
static void link_waits_for_nothing(struct regress *t)
{
	const struct row *row = t->data;
	struct scale_figures by_ioctl, by_link;
	const struct scale_way *ioctl = find_way(row->kind, row->kind == SCALE_SOFTWARE ?
							    "type+ioctl" : "tracefs+ioctl");
	struct counting c;

	begin(&c, t, row->kind);
	count(&c, ioctl, MANY, &by_ioctl);
	count(&c, find_way(row->kind, row->way), MANY, &by_link);
	count_again(&c, ioctl, MANY, &by_link, &by_ioctl);
	end(&c);
	regress_expect(t, periods(&by_link.attach_waits, row->kind) <=
				  periods(&by_ioctl.attach_waits, row->kind) + 2,
		       "attaching %d by link waits %u times, by ioctl %u times", MANY,
		       (unsigned int)periods(&by_link.attach_waits, row->kind),
		       (unsigned int)periods(&by_ioctl.attach_waits, row->kind));
	regress_expect(t, periods(&by_link.detach_waits, row->kind) <=
				  periods(&by_ioctl.detach_waits, row->kind) + 2,
		       "closing %d links and their events waits %u times, %d events %u times", MANY,
		       (unsigned int)periods(&by_link.detach_waits, row->kind), MANY,
		       (unsigned int)periods(&by_ioctl.detach_waits, row->kind));
}

static void raw_waits_for_nothing(struct regress *t)
{
	struct scale_figures f;
	struct counting c;

	begin(&c, t, SCALE_TRACEPOINT);
	/* It does wait if the tracepoint lost its last program within this grace period. */
	for (int tries = 0; tries < TRIES; tries++) {
		count(&c, find_way(SCALE_TRACEPOINT, "raw"), MANY, &f);
		if (!periods(&f.attach_waits, SCALE_TRACEPOINT))
			break;
		usleep(300000);
	}
	end(&c);
	regress_expect(t, !periods(&f.attach_waits, SCALE_TRACEPOINT),
		       "attaching %d raw tracepoints waits %u times", MANY,
		       (unsigned int)periods(&f.attach_waits, SCALE_TRACEPOINT));
	regress_expect(t, periods(&f.detach_waits, SCALE_TRACEPOINT) < MANY,
		       "closing %d raw tracepoints waits %u times", MANY,
		       (unsigned int)periods(&f.detach_waits, SCALE_TRACEPOINT));
}

static const struct row
	uprobe_multi = { SCALE_UPROBE, "multi" }, kprobe_multi = { SCALE_KPROBE, "multi" },
	software_link = { SCALE_SOFTWARE, "type+link" },
	tracepoint_link = { SCALE_TRACEPOINT, "tracefs+link" };

static const struct regress_test tests[] = {
	{ "a link on many functions of a file waits as often as one on one", multi_waits_once,
	  &uprobe_multi },
	{ "a link on many functions of the kernel waits as often as one on one", multi_waits_once,
	  &kprobe_multi },
	{ "links of software events wait no more than their events", link_waits_for_nothing,
	  &software_link },
	{ "links of tracepoints wait no more than their events", link_waits_for_nothing,
	  &tracepoint_link },
	{ "attaching raw tracepoints waits for no grace period", raw_waits_for_nothing, NULL },
	{ 0 }
};

const struct regress_group regress_group_waits = {
	"waits", "how many grace periods attaching and closing wait for", tests, NULL, __FILE__
};
