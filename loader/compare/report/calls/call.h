/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One system call as --trace prints it, split so that it can be compared with others. */
#ifndef PLOAD_COMPARE_REPORT_CALLS_CALL_H
#define PLOAD_COMPARE_REPORT_CALLS_CALL_H

#include <stdbool.h>

#include "loader/core/value/json_object.h"

/* Limits; what exceeds them is not compared. */
#define CALLS_MAX 512	/* for each cell */
#define CALL_ARGS 64
#define CALL_TEXT 2048

/*
 * bpf(BPF_LINK_CREATE, {link_create={prog_fd=6, target_fd=7}}, 24) = 8
 * ^name  args[0]        args[1]      args[2]       args[3]         ^result, " = 8"
 */
struct call {
	char *text;	/* owned: the buffer of all strings below */
	const char *name, *result;
	const char *args[CALL_ARGS];	/* members of structs are arguments of their own */
	unsigned int nr_args;
};

/* call_read() - Split the line @text; return false for ENOMEM. call_free() frees the result. */
bool call_read(struct call *call, const char *text);
void call_free(struct call *call);

bool call_equal(const struct call *a, const struct call *b);

/**
 * call_text() - Format @call as a line again, with "..." for arguments that all @others have too.
 *
 * Return: a new string, or NULL for ENOMEM.
 */
struct json_object *call_text(const struct call *call, const struct call *const *others,
			      unsigned int nr);

#endif
