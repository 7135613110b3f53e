/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls of several cells made alike where they mean the same. */
#ifndef PLOAD_TOOLS_COMPARE_NORMALIZE_CALLS_H
#define PLOAD_TOOLS_COMPARE_NORMALIZE_CALLS_H

#include "loader/tools/compare/record_calls.h"

/*
 * same_args(), same_result() - @text, which is how the trace prints the arguments or the result of
 * a call, with the names of descriptors for their numbers ("event", "link"), without the addresses
 * of buffers, and with what differs from one probe in tracefs to the next called NAME and ID.
 * Malloc'ed; NULL: no memory.
 */
char *same_args(struct recorder *r, long nr, const unsigned long arg[6], const char *text);
char *same_result(struct recorder *r, long nr, const unsigned long arg[6], long ret,
		  const char *text);

#endif
