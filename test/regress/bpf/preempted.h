/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The maps of programs that two tasks run on one CPU. */
#ifndef PLOAD_REGRESS_PREEMPTED_H
#define PLOAD_REGRESS_PREEMPTED_H

#include <linux/types.h>

#define PREEMPTED_FRAMES 8
#define PREEMPTED_DEPTH 16	/* frames of a stack that is kept by its number */

/* An element of "tasks". */
struct preempted_task {
	__u64 runs;
	__u64 wrong;		/* words that had another value than it had written */
	__u64 failed;		/* there was no stack */
	__u64 frame[PREEMPTED_FRAMES];	/* the stack of its last run */
};

/* A key of "ids". */
struct preempted_stack {
	__u32 task;
	__s32 id;
};

#endif
