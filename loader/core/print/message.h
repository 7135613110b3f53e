/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages: create one, read its members, and print it in one of several formats. */
#ifndef PLOAD_CORE_PRINT_MESSAGE_H
#define PLOAD_CORE_PRINT_MESSAGE_H

#include "loader/core/print/output.h"

/* A way to write records without a message for each: see record.h. */
enum record_style { RECORDS_AS_MESSAGES, RECORDS_AS_TEXT, RECORDS_AS_JSON };

struct output_format {
	const char *name;
	/*
	 * These print a message, the second one through @text. Both return false if out of memory.
	 */
	bool (*print)(FILE *file, struct json_object *msg);
	bool (*print_as)(FILE *file, struct json_object *msg, message_printer text);
	/*
	 * For people: maps are printed sorted, with a headline and at most output.rows elements.
	 * Otherwise each element is printed as soon as it is read.
	 */
	bool digest;
	bool picture;	/* prints the profile of a session's stacks, and no rows or records */
	enum record_style records;
};

/*
 * The session formats that draw a profile: they print no rows, and messages go to standard error as
 * text. The last row has no name. (profile/stacks)
 */
extern const struct output_format profile_output_formats[];

/* Escape sequences of ECMA-48 (SGR). */
#define COLOR_ERROR "\033[1;31m"
#define COLOR_HEADLINE "\033[1m"
#define COLOR_FUNCTION "\033[36m"
#define COLOR_END "\033[m"

/* message_new() - Create a message with this "type", a static string. NULL if out of memory. */
struct json_object *message_new(const char *type);

/*
 * message_print_text() - Print @msg through @text, or if that is NULL, its members. Return true.
 * message_print_beside() - The same to standard error, because @file is for something else.
 */
bool message_print_text(FILE *file, struct json_object *msg, message_printer text);
bool message_print_beside(FILE *file, struct json_object *msg, message_printer text);

/*
 * message_print_page() - Print an HTML page: @begin, which ends inside a script element, then @data
 * as JSON, then @end. Return false if out of memory.
 */
bool message_print_page(FILE *file, const char *begin, struct json_object *data, const char *end);

/* message_get() - Return member @key, or NULL if it does not exist or is null. */
struct json_object *message_get(struct json_object *msg, const char *key);

/* Return 0 or NULL if there is no such member. */
uint64_t message_number(struct json_object *msg, const char *key);
const char *message_text(struct json_object *msg, const char *key);

/* message_print_string() - Print a string without quotes; nothing for NULL. */
void message_print_string(FILE *file, struct json_object *string);

/*
 * message_print_member() - Print the string member @key.
 * message_print_with() - Print @before, the member and @after; nothing if it is absent or null.
 */
void message_print_member(FILE *file, struct json_object *msg, const char *key);
void message_print_with(FILE *file, struct json_object *msg, const char *before, const char *key,
			const char *after);

/*
 * message_print_line() - Print a line written by a program, keeping tabs, which separate columns.
 */
void message_print_line(FILE *file, struct json_object *line);

/* message_print_value() - Print a value; long untyped bytes as a hex dump. */
void message_print_value(FILE *file, struct json_object *value);

/* message_print_count() - Print "1 link", "2 links". */
void message_print_count(FILE *file, uint64_t n, const char *what);

#endif
