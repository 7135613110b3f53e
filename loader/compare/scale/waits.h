/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Count what processes wait for in the kernel: RCU grace periods, and patches to its code. */
#ifndef PLOAD_COMPARE_SCALE_WAITS_H
#define PLOAD_COMPARE_SCALE_WAITS_H

#include <stdbool.h>

#include <linux/perf_event.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

enum wait_kind {
	WAIT_RCU,		/* synchronize_rcu(), rcu_barrier() */
	WAIT_TASKS,		/* synchronize_rcu_tasks(), and the rude one */
	WAIT_TASKS_TRACE,	/* synchronize_rcu_tasks_trace() */
	WAIT_SRCU,		/* synchronize_srcu() */
	WAIT_NR_PERIODS,	/* the kinds before this one are grace periods */
	WAIT_TEXT = WAIT_NR_PERIODS,	/* batches of patches to the kernel's code */
	WAIT_NR_KINDS,
};

/* "rcu", "tasks", "tasks_trace", "srcu", "text" */
extern const char *const wait_names[WAIT_NR_KINDS];

/* How they are counted, best first. */
enum waits_by {
	WAITS_BY_CALLS,		/* ftrace:function counts the calls */
	WAITS_BY_SLEEPS,	/* the call chain of sched:sched_switch names them; no WAIT_TEXT */
	WAITS_NOT,
};

extern const char *const waits_by_names[];	/* "calls", "sleeps" */

struct wait_counts {
	uint64_t nr[WAIT_NR_KINDS];
	uint64_t lost;		/* samples that did not fit into a ring: the counts are too low */
};

struct waits;

/* Only processes with this name are counted; see PR_SET_NAME in prctl(2). */
#define WAITS_COMM "pload-scale"

/**
 * waits_begin() - Open the counters on each CPU.
 * @waits: for waits_end() in any case; NULL only without memory.
 *
 * Return: 0 or -errno: nothing can be counted here, and waits_add() adds nothing.
 */
int waits_begin(struct sys *sys, struct waits **waits, struct error *err);
void waits_end(struct waits *waits);

enum waits_by waits_by(const struct waits *waits);

/** waits_counts() - Return true if waits of @kind are counted by this way. */
bool waits_counts(const struct waits *waits, enum wait_kind kind);

/** waits_add() - Add the waits of process @pid since the last call to @counts. */
void waits_add(struct waits *waits, pid_t pid, struct wait_counts *counts);

#endif
