/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A system call as the trace prints it, in pieces: name, arguments, result. */
#ifndef PLOAD_OBSERVE_TRACE_CALL_TEXT_H
#define PLOAD_OBSERVE_TRACE_CALL_TEXT_H

#include <stdio.h>

/** sys_call_name() - Return the static name, or NULL if the trace does not know the call. */
const char *sys_call_name(long nr);

/**
 * sys_call_args() - Print the text between the parentheses, before the call: the kernel overwrites
 * some of it.
 *
 * sys_call_result() - Print the text after " = ", with the data that the kernel returned.
 */
void sys_call_args(FILE *out, long nr, const unsigned long arg[6]);
void sys_call_result(FILE *out, long nr, const unsigned long arg[6], long ret);

#endif
