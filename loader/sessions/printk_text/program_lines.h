/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print bpf_printk() lines and the streams of programs. */
#ifndef PLOAD_SESSIONS_PRINTK_TEXT_PROGRAM_LINES_H
#define PLOAD_SESSIONS_PRINTK_TEXT_PROGRAM_LINES_H

#include "loader/core/print/output.h"
#include "loader/sessions/printk/printk.h"

/**
 * program_lines() - Return a sink that prints each line to @out as a message:
 *
 *	{"type":"printk","prog":NAME,"cpu":N,"pid":N,"tid":N,"comm":NAME,"text":...}
 *	{"type":"stream","prog":NAME,"stream":"stdout","text":...}
 */
struct line_sink program_lines(struct output *out);

/* program_lines_print() - Print such a message as text. */
void program_lines_print(FILE *file, struct json_object *msg);

#endif
