/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a program that calls a helper is told, and what it says: the only element of its map "io".
 * For the programs and for the tests.
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
