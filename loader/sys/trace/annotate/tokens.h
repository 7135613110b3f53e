/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the arguments that the trace has printed: name their descriptors, or convert to JSON. */
#ifndef PLOAD_SYS_TRACE_ANNOTATE_TOKENS_H
#define PLOAD_SYS_TRACE_ANNOTATE_TOKENS_H

#include <stddef.h>
#include <stdio.h>

#include "loader/sys/trace/annotate/fd_names.h"

/*
 * The grammar of what the trace prints:
 *
 *	arguments	value, value ...
 *	value		{name=value, ...}  [value, ...]  ~[value, ...]  "text"  "text"...  WORD
 *
 * A WORD ends before a comma or a closing bracket; it can contain parentheses, within which a comma
 * belongs to it: KERNEL_VERSION(6, 18, 0).
 */

/**
 * tokens_annotate() - Print @text with the name of each descriptor after its number:
 * "{map_fd=4 <map hits>, key=0x7ffe}".
 * @positions: bit n is set if argument n is a descriptor
 */
void tokens_annotate(FILE *out, const char *text, unsigned int positions,
		     const struct fd_names *names);

/**
 * tokens_json() - Print @text as a JSON array of its values: a struct becomes an object, a list an
 * array, a number a number, and the rest a string.
 */
void tokens_json(FILE *out, const char *text);

/**
 * trace_json_string() - Print @len bytes as a JSON string; those that are not ASCII as \u00XX.
 * trace_json_text() - Print @text likewise, without quotes.
 */
void trace_json_string(FILE *out, const char *text, size_t len);
void trace_json_text(FILE *out, const char *text);

#endif
