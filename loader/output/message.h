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

/* --- for renderers: what a message says --- */

/* message_get() - the member @key; NULL: there is none, or it is null. */
struct json_object *message_get(struct json_object *msg, const char *key);

/* message_number() - 0 where there is none. message_text() - NULL where there is none. */
uint64_t message_number(struct json_object *msg, const char *key);
const char *message_text(struct json_object *msg, const char *key);

/* message_print_string() - a name or a sentence, without quotes; nothing for NULL. */
void message_print_string(FILE *file, struct json_object *string);

/* message_print_member() - the words that member @key is. */
void message_print_member(FILE *file, struct json_object *msg, const char *key);

/* message_print_count() - "1 link", "2 links". */
void message_print_count(FILE *file, uint64_t n, const char *what);

#endif
