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

/* message_words() - a name or a sentence, without quotes; nothing for NULL. */
void message_words(FILE *file, struct json_object *string);

/* message_member() - the words that member @key is. */
void message_member(FILE *file, struct json_object *msg, const char *key);

/* message_count() - "1 link", "2 links". */
void message_count(FILE *file, uint64_t n, const char *what);

/* Renderers with a file of their own. */
void message_print_load(FILE *file, struct json_object *msg);
void message_print_reason(FILE *file, struct json_object *msg);
void message_print_reason_page(FILE *file, struct json_object *msg);
void message_print_list_event(FILE *file, struct json_object *msg);
void message_print_list_pmu(FILE *file, struct json_object *msg);
void message_print_summary(FILE *file, struct json_object *msg);
void message_print_probe_begin(FILE *file, struct json_object *msg);
void message_print_probe_event(FILE *file, struct json_object *msg);
void message_print_probe_feature(FILE *file, struct json_object *msg);
void message_print_probe_prog_type(FILE *file, struct json_object *msg);
void message_print_probe_helper(FILE *file, struct json_object *msg);

/* What is attached: rows of tables with their headlines, one thing whole, what was not seen. */
void message_print_links_begin(FILE *file, struct json_object *msg);
void message_print_link(FILE *file, struct json_object *msg);
void message_print_events_begin(FILE *file, struct json_object *msg);
void message_print_event(FILE *file, struct json_object *msg);
void message_print_programs_begin(FILE *file, struct json_object *msg);
void message_print_program(FILE *file, struct json_object *msg);
void message_print_details(FILE *file, struct json_object *msg);
void message_print_unseen(FILE *file, struct json_object *msg);
void message_print_adopted(FILE *file, struct json_object *msg);
void message_print_detached(FILE *file, struct json_object *msg);
void message_print_attached(FILE *file, struct json_object *msg);

#endif
