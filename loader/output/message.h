/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a format is: a row of the table that output_format_find() looks in. */
#ifndef PLOAD_OUTPUT_MESSAGE_H
#define PLOAD_OUTPUT_MESSAGE_H

#include "loader/output/output.h"

struct output_format {
	const char *name;
	void (*print)(FILE *file, struct json_object *msg);
	/*
	 * For a reader, not for a program: a map is shown sorted, with a headline and at most
	 * `rows` of its elements. Otherwise each element is a message the moment it is read.
	 */
	bool digest;
};

/* message_new() - an object with its "type", a static string; NULL is ENOMEM. */
struct json_object *message_new(const char *type);

/* message_print_text() - with the renderer of its type. */
void message_print_text(FILE *file, struct json_object *msg);

/* A renderer with a file of its own. */
void message_print_load(FILE *file, struct json_object *msg);

#endif
