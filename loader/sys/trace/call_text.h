/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A system call as the trace prints it, in pieces: its name, its arguments, what came of it. */
#ifndef PLOAD_SYS_TRACE_CALL_TEXT_H
#define PLOAD_SYS_TRACE_CALL_TEXT_H

#include <stdio.h>

/* sys_call_name() - "perf_event_open"; NULL: the trace does not know the call. Static. */
const char *sys_call_name(long nr);

/*
 * sys_call_args() - what stands between the parentheses, printed before the call is made: the
 * kernel writes over some of it. sys_call_result() - what stands behind " = ", with what the kernel
 * wrote back.
 */
void sys_call_args(FILE *out, long nr, const unsigned long arg[6]);
void sys_call_result(FILE *out, long nr, const unsigned long arg[6], long ret);

#endif
