/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The value of the map "io", which passes arguments to a program that calls a helper, and passes
 * back the helper's results. The programs and the tests include this.
 */
#ifndef PLOAD_REGRESS_HELPER_IO_H
#define PLOAD_REGRESS_HELPER_IO_H

#include <linux/types.h>

#define HELPER_TEXT 64

struct helper_io {
	__u64 page;		/* a page fault anywhere else is not the test's */
	__u64 runs;
	__u64 in[4];
	__s64 ret[4];
	__u64 out[8];
	char text[HELPER_TEXT];
};

#endif
