/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages: creating one, reading its members, and the formats that print it. */
#ifndef PLOAD_CORE_PRINT_MESSAGE_H
#define PLOAD_CORE_PRINT_MESSAGE_H

#include "loader/core/print/output.h"

/* How records may be written without a message for each: see record.h. */
enum record_style { RECORDS_AS_MESSAGES, RECORDS_AS_TEXT, RECORDS_AS_JSON };

struct output_format {
	const char *name;
	/* One of them prints a message, the second by @text. They return false: no memory. */
	bool (*print)(FILE *file, struct json_object *msg);
	bool (*print_as)(FILE *file, struct json_object *msg, message_printer text);
	/*
	 * For people: a map is printed sorted, with a headline and at most output.rows elements.
	 * Otherwise each element is printed as soon as it is read.
	 */
	bool digest;
	bool picture;	/* the profile of a session's stacks is printed, and no row or record */
	enum record_style records;
};

/*
 * The formats of a session that draw a profile: they print no rows, and messages go to standard
 * error as text. The list ends with a row without a name. (profile/stacks)
 */
extern const struct output_format profile_output_formats[];

/* Escape sequences of ECMA-48 (SGR). */
#define COLOR_ERROR "\033[1;31m"
#define COLOR_HEADLINE "\033[1m"
#define COLOR_FUNCTION "\033[36m"
#define COLOR_END "\033[m"

/* message_new() - Create a message with this "type", a static string. NULL: no memory. */
struct json_object *message_new(const char *type);

/*
 * message_print_text() - Print @msg by @text, or without one its members. Return true.
 * message_print_beside() - The same to standard error, since @file has something else.
 */
bool message_print_text(FILE *file, struct json_object *msg, message_printer text);
bool message_print_beside(FILE *file, struct json_object *msg, message_printer text);

/*
 * message_print_page() - Print @begin of an HTML page, which ends within a script element, @data as
 * JSON, and @end. Return false if memory is short.
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

/* message_print_line() - Print a line as a program wrote it, with tabs, which separate columns. */
void message_print_line(FILE *file, struct json_object *line);

/* message_print_value() - Print a value; many bytes without a type as a hex dump. */
void message_print_value(FILE *file, struct json_object *value);

/* message_print_count() - Print "1 link", "2 links". */
void message_print_count(FILE *file, uint64_t n, const char *what);

#endif
