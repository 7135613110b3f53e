// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Limits on the number of programs per tracepoint or probe, and of breakpoints. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "test/regress/common/others.h"


/* Events of one tracepoint, or one line of probes, each with a program of its own. */
struct crowd {
	struct event_spec spec;
	struct compare_subject s;
	struct compare_event first;	/* the line of a probe is its */
	struct attachment list[OTHERS_MOST + 1];
	int progs[OTHERS_MOST + 1];
};

static void begin(struct regress *t, struct crowd *c, const struct kind *kind, unsigned int cell)
{
	struct error err = { 0 };

	kind_begin(t, kind, &c->spec, &c->s);
	regress_ok(t, c->s.no_prog.code, &c->s.no_prog, "the program");
	regress_ok(t, compare_open(&c->s, &c->s.cells[cell], &c->first, &err), &err, "event");
	for (int i = 0; i <= OTHERS_MOST; i++) {
		c->list[i] = (struct attachment){ .event_fd = -1, .link_fd = -1 };
		c->progs[i] = -1;
	}
}

/* Opens event @i, and binds a program of its own to it. Returns the result of binding. */
static int add(struct regress *t, struct crowd *c, unsigned int cell, int i)
{
	struct attachment *a = &c->list[i];
	struct error err = { 0 };

	c->progs[i] = regress_ok(t, kind_program(t, c->s.prog.prog_type, 1), NULL, "a program");
	a->event_fd = regress_ok(t, event_open(t->sys, &c->spec, &c->first.attr, &c->s.target, -1,
					       &err), &err, "event");
	return c->s.cells[cell].method->bind(t->sys, a, c->progs[i], 0, NULL);
}

#define CLOSERS 16

/* One of several threads, which closes every CLOSERS-th event, starting with @first. */
struct closer {
	struct sys *sys;
	struct crowd *crowd;
	int first;
};

static void *close_some(void *arg)
{
	const struct closer *closer = arg;

	for (int i = closer->first; i <= OTHERS_MOST; i += CLOSERS)
		sys_close_fd(closer->sys, &closer->crowd->list[i].event_fd);
	return NULL;
}

/*
 * The kernel waits for a grace period for each program that is detached; threads wait for the same
 * one.
 */
static void end(struct regress *t, struct crowd *c)
{
	struct closer closers[CLOSERS];
	pthread_t threads[CLOSERS];

	for (int i = 0; i < CLOSERS; i++) {
		closers[i] = (struct closer){ t->sys, c, i };
		regress_expect(t, !pthread_create(&threads[i], NULL, close_some, &closers[i]),
			       "no thread");
	}
	for (int i = 0; i < CLOSERS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i <= OTHERS_MOST; i++)
		sys_close_fd(t->sys, &c->progs[i]);
	compare_close(&c->s, &c->first);
	kind_end(&c->s);
}

/* Each line of a probe is an event of its own, which nobody else uses; the tracepoint is chosen. */
static const struct kind traced[] = {
	{ "tracepoint", NULL, KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
};

static void sixty_four(struct regress *t)
{
	static const struct regress_since e2big[] = { { LINUX(0, 0), "E2BIG" } };
	const struct kind *of_test = t->data;
	struct kind kind = *of_test;
	uint32_t others = 0;
	struct crowd c;
	int ret = 0, bound;

	if (!kind.event)
		kind = others_choose(t, &others);
	begin(t, &c, &kind, 0);
	for (bound = 0; !ret && bound <= OTHERS_MOST; bound++)
		ret = add(t, &c, 0, bound);
	regress_answer(t, "", regress_errno(ret), e2big, NR(e2big));
	regress_expect(t, others + bound - 1 == OTHERS_MOST,
		       "%d programs were taken beside %u of others", bound - 1, others);
	end(t, &c);
}

/*
 * The same program cannot be bound to a second event of the tracepoint, until the first has
 * released it.
 */
static void not_twice(struct regress *t)
{
	static const struct regress_since eexist[] = { { LINUX(0, 0), "EEXIST" } };
	const struct kind *of_test = t->data;
	struct kind kind = *of_test;
	struct attachment *a;
	uint32_t others;
	struct crowd c;
	int ret;

	if (!kind.event)
		kind = others_choose(t, &others);
	begin(t, &c, &kind, 0);
	regress_ok(t, add(t, &c, 0, 0), NULL, "the first");
	a = &c.list[1];
	a->event_fd = regress_ok(t, event_open(t->sys, &c.spec, &c.first.attr, &c.s.target, -1,
					       NULL), NULL, "event");
	ret = c.s.cells[0].method->bind(t->sys, a, c.progs[0], 0, NULL);
	regress_answer(t, "while it is on another", regress_errno(ret), eexist, NR(eexist));
	sys_close_fd(t->sys, &c.list[0].event_fd);
	regress_ok(t, c.s.cells[0].method->bind(t->sys, a, c.progs[0], 0, NULL), NULL,
		   "once it has left the other");
	end(t, &c);
}

/*
 * Probes opened through the PMU are separate: the same program may be bound to any number of them.
 */
static void own_array(struct regress *t)
{
	struct crowd c;

	begin(t, &c, t->data, 2);
	for (int i = 0; i < 3; i++) {
		struct attachment *a = &c.list[i];

		a->event_fd = regress_ok(t, event_open(t->sys, &c.spec, &c.first.attr, &c.s.target,
						       -1, NULL), NULL, "event");
		regress_ok(t, c.s.cells[2].method->bind(t->sys, a, c.s.prog.prog_fd, 0, NULL), NULL,
			   "the same program again");
	}
	end(t, &c);
}

/* --- breakpoints --- */

#define SLOTS_MAX 64

struct slots {
	struct regress *t;
	struct event_spec spec;
	struct compare_subject s;
	struct perf_event_attr attr;
	struct error err;	/* of the one that was too many; owned */
	int nr, ret;
};

/* Opens as many breakpoints of this thread as possible, counts them, and closes them. */
static void take_all(struct slots *b)
{
	int fds[SLOTS_MAX];

	error_clear(&b->err);
	for (b->nr = 0; b->nr < SLOTS_MAX; b->nr++) {
		b->ret = event_open(b->t->sys, &b->spec, &b->attr, &b->s.target, -1, &b->err);
		if (b->ret < 0)
			break;
		fds[b->nr] = b->ret;
	}
	for (int i = 0; i < b->nr; i++)
		sys_close_fd(b->t->sys, &fds[i]);
}

/*
 * x86 has four debug registers; as long as another process has one on a CPU, fewer are free there.
 * On other machines any number is accepted.
 */
static bool are_all(void *arg)
{
	struct slots *b = arg;

	take_all(b);
#if defined(__x86_64__)
	return b->nr == 4;
#else
	return true;
#endif
}

static void slots(struct regress *t)
{
	const struct kind *kind = t->data;
	struct slots b = { .t = t };
	struct compare_event e;

	kind_begin(t, kind, &b.spec, &b.s);
	/* This single event finds out whether breakpoints are supported at all. */
	regress_ok(t, compare_open(&b.s, &b.s.cells[0], &e, &b.err), &b.err, kind->name);
	b.attr = e.attr;
	compare_close(&b.s, &e);
	regress_expect(t, regress_until(are_all, &b), "%d breakpoints", b.nr);
	kind_end(&b.s);
	regress_saw(t, "slots", "%d", b.nr);
	regress_expect(t, b.ret == -ENOSPC, "%d: %s, %s", b.nr, regress_errno(b.ret), b.err.what);
	regress_expect(t, b.err.reason && !strcmp(b.err.reason, "perf-open/no-breakpoint-slot"),
		       "the loader says %s: %s", b.err.reason ? b.err.reason : "nothing",
		       b.err.what);
	error_clear(&b.err);
}

static const struct kind on_data = { "breakpoints on data", "mem:%w/8:w", KIND_COUNTED };
static const struct kind on_code = { "breakpoints on code", "mem:%f:x", KIND_COUNTED };

static const struct regress_test tests[] = {
	{ "tracepoint: 64 programs, and the next is E2BIG", sixty_four, &traced[0], 0 },
	{ "kprobe by a line: 64 programs, and the next is E2BIG", sixty_four, &traced[1], 0 },
	{ "uprobe by a line: 64 programs, and the next is E2BIG", sixty_four, &traced[2], 0 },
	{ "tracepoint: the same program is on one event at a time", not_twice, &traced[0], 0 },
	{ "kprobe by a line: the same program is on one event at a time", not_twice, &traced[1],
	  0 },
	{ "uprobe by a line: the same program is on one event at a time", not_twice, &traced[2],
	  0 },
	{ "kprobe by the PMU: the same program is on many", own_array, &traced[1], 0 },
	{ "uprobe by the PMU: the same program is on many", own_array, &traced[2], 0 },
	{ "breakpoints on data: until there are no more, ENOSPC", slots, &on_data, 0 },
	{ "breakpoints on code: until there are no more, ENOSPC", slots, &on_code, 0 },
	{ 0 }
};

const struct regress_group regress_group_slots = {
	"slots", "how many programs and breakpoints there may be", tests, NULL, __FILE__
};
