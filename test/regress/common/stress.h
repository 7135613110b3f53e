/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shared by the tests of races: kinds of events that threads trigger on every CPU at once, and an
 * attachment to all of them.
 */
#ifndef PLOAD_REGRESS_STRESS_H
#define PLOAD_REGRESS_STRESS_H

#include <pthread.h>
#include <stdatomic.h>

#include "loader/core/event/scope.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/harness/regress.h"

/* An event that this process can trigger at any time. */
struct stress_kind {
	const char *name;	/* "a breakpoint" */
	const char *event;	/* of event_parse(); "%p": where firing_watched is */
	bool exact;		/* each unit of its work is exactly one run */
};

enum {
	STRESS_FAULTS, STRESS_CLOCK, STRESS_BREAKPOINT, STRESS_TRACEPOINT, STRESS_KPROBE,
	STRESS_UPROBE, STRESS_NR_KINDS
};
extern const struct stress_kind stress_kinds[STRESS_NR_KINDS];

/* --- threads that trigger it --- */

#define FIRERS 8	/* at most; enough for races on any machine */

struct firer {
	struct firing *of;
	pthread_t id;
	int cpu;
	atomic_ullong done;	/* units of work */
};

struct firing {
	struct regress *t;
	const struct firing_work *work;
	struct firer list[FIRERS];
	unsigned int nr;
	atomic_ullong target;	/* each has to do this many units in total */
	atomic_bool stop;
	pthread_mutex_t lock;
	pthread_cond_t more;
};

/*
 * firing_begin() - start one idle thread on each CPU this process may run on. firing_each() - each
 * does @units more of the work before this returns. firing_always() - all work without an end,
 * until firing_each() or firing_end(). firing_settle() - wait until each thread has ended the unit
 * that it was doing, and has done @units more. firing_total() - the units that all have done.
 * firing_end() ends the threads.
 */
void firing_begin(struct regress *t, struct firing *f, const struct firing_work *work);
void firing_each(struct firing *f, unsigned int units);
void firing_always(struct firing *f);
void firing_settle(struct firing *f, unsigned int units);
uint64_t firing_total(const struct firing *f);
void firing_end(struct firing *f);

/* --- the attachment --- */

struct stress {
	struct regress *t;
	struct sys *sys;	/* t->sys, or a decorator of the test's */
	const struct stress_kind *kind;
	const struct attach_method *method;
	const struct firing_work *work;
	struct event_spec spec;
	struct event_scope scope;
	struct firing_prog prog;
	struct attach_set set;
};

/*
 * stress_spec() - the event of @kind. stress_begin(): it, its work, the scope @asked (NULL: every
 * CPU), a program that counts, and the method, through @sys. Ends the test when that is refused.
 * stress_begin_self(): with this thread alone as the scope. stress_end() gives it all back.
 */
void stress_spec(struct regress *t, const struct stress_kind *kind, struct event_spec *spec);
void stress_begin(struct regress *t, struct stress *s, struct sys *sys,
		  const struct stress_kind *kind, const char *method,
		  const struct event_scope_options *asked);
void stress_begin_self(struct regress *t, struct stress *s, int kind, const char *method);
void stress_end(struct stress *s);

/*
 * stress_try_attach() - attach and enable. Returns 0, or -errno with nothing left open.
 * stress_attach() - the same, or end the test. stress_close() - close the attachment. stress_ok() -
 * like regress_ok(), and skip the test if others have all breakpoints.
 */
int stress_try_attach(struct stress *s, struct error *err);
void stress_attach(struct stress *s);
void stress_close(struct stress *s);
int stress_ok(struct stress *s, int ret, const struct error *err, const char *what);

/* stress_runs() - of this process, or the task that is watched; stress_all(): of all tasks. */
uint64_t stress_runs(const struct stress *s);
uint64_t stress_all(const struct stress *s);

/* stress_quiet() - check that no program runs any more while @f still triggers the event. */
void stress_quiet(struct stress *s, struct firing *f);

#endif
