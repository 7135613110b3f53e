/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One system call as --trace prints it, taken apart so that two can be held beside each other. */
#ifndef PLOAD_TOOLS_REPORT_CALLS_CALLS_H
#define PLOAD_TOOLS_REPORT_CALLS_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json_object.h>

/* Of a cell; of a call; bytes of a line. What is more is not looked at. */
#define CALLS_MAX 512
#define CALL_ARGS 64
#define CALL_TEXT 2048

struct call {
	char *text;	/* owned: what the strings below are in */
	const char *name, *result;	/* "close", " = 0" */
	const char *args[CALL_ARGS];
	unsigned int nr_args;
};

/* call_read() - the call that the line @text is: "close(event) = 0". False: no memory. */
bool call_read(struct call *call, const char *text);
void call_free(struct call *call);

bool call_same(const struct call *a, const struct call *b);

/*
 * call_text() - the line again; arguments that all the @nr @others have, too, become "...". A new
 * string, NULL is ENOMEM.
 */
struct json_object *call_text(const struct call *call, const struct call *const *others,
			      unsigned int nr);

#endif
