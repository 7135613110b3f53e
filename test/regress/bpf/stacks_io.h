/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The value of the map "stacks", which passes a filter to a program that takes call stacks, and
 * passes the stacks back.
 */
#ifndef PLOAD_REGRESS_STACKS_IO_H
#define PLOAD_REGRESS_STACKS_IO_H

#include <linux/types.h>

#define STACK_FRAMES 160

struct stacks_io {
	/* In: a filter, as in context_io.h, and two calls, the second only if it has a size. */
	__u64 comm[2];
	__u64 low, high;
	__u64 flags[2];
	__u64 size[2];

	/* Out: of the last run. */
	__u64 runs;
	__s64 ret[2];
	__u64 frame[2][STACK_FRAMES];
};

#endif
