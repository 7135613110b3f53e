/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The value of the map "io", which passes a filter to a program that reads its context, and passes
 * back what the program read.
 */
#ifndef PLOAD_REGRESS_CONTEXT_IO_H
#define PLOAD_REGRESS_CONTEXT_IO_H

#include <linux/types.h>

#define CONTEXT_WORDS 8

struct context_io {
	/* In: the filter. */
	__u64 comm[2];		/* only in tasks of that name; 0: in all */
	__u64 low, high;	/* only where the instruction pointer lies there; 0: everywhere */
	__s64 answer;		/* what the program returns */
	__u64 flags;		/* of the helper that is called */
	__u64 size;		/* likewise */

	/* Out: of all runs that count, and then of the last one. */
	__u64 runs;
	__u64 others;		/* runs that do not count */
	__u64 ip, sp;
	__u64 period, addr;
	__u64 arg[6];
	__u64 rc;
	__u64 cookie, cookies;	/* cookies: of all runs together, by OR */
	__u64 func_ip;
	__u64 pid_tgid;
	__s64 ret;		/* the result of the helper */
	__u64 word[CONTEXT_WORDS];
	__u8 byte[2][8];	/* sample_period and addr byte by byte, and so on */
	__u16 half[2][4];
	__u32 quad[2][2];
};

#endif
