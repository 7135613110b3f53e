/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the arguments that the trace has printed: name their descriptors, or convert to JSON. */
#ifndef PLOAD_OBSERVE_TRACE_ANNOTATE_TOKENS_H
#define PLOAD_OBSERVE_TRACE_ANNOTATE_TOKENS_H

#include <stdio.h>

#include "loader/observe/trace/annotate/fd_names.h"
#include "loader/core/value/json_object.h"

/*
 * The grammar of what the trace prints:
 *
 *	arguments	value, value ...
 *	value		{name=value, ...}  [value, ...]  ~[value, ...]  "text"  "text"...  WORD
 *
 * A WORD ends before a comma or a closing bracket; it can contain parentheses, within which a comma
 * belongs to it: KERNEL_VERSION(6, 18, 0).
 */
#define TRACE_TEXT_MAX 128	/* the bytes of a text; longer ones are cut */

/**
 * tokens_annotate() - Print @text with the name of each descriptor after its number:
 * "{map_fd=4 <map hits>, key=0x7ffe}".
 * @positions: bit n is set if argument n is a descriptor
 */
void tokens_annotate(FILE *out, const char *text, unsigned int positions,
		     const struct fd_names *names);

/**
 * tokens_json() - Return @text as an array of its values: a struct becomes an object, a list an
 * array, a number a number, and the rest a string. Owned by the caller.
 */
struct json_object *tokens_json(const char *text);

#endif
