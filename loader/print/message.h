/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages: creating one, reading its members, and the formats that print it. */
#ifndef PLOAD_PRINT_MESSAGE_H
#define PLOAD_PRINT_MESSAGE_H

#include "loader/print/output.h"

/* How records may be written without a message for each: see ring/. */
enum record_style { RECORDS_AS_MESSAGES, RECORDS_AS_TEXT, RECORDS_AS_JSON };

struct output_format {
	const char *name;
	bool (*print)(FILE *file, struct json_object *msg);	/* false: no memory */
	/*
	 * For people: a map is printed sorted, with a headline and at most output.rows elements.
	 * Otherwise each element is printed as soon as it is read.
	 */
	bool digest;
	bool picture;	/* the profile of a session's stacks is printed, and no row or record */
	bool binary;	/* not for a terminal */
	enum record_style records;
};

/*
 * The formats of a session that draw a profile: they print no rows, and messages go to standard
 * error as text. The list ends with a row without a name. (pictures/)
 */
extern const struct output_format profile_output_formats[];

/*
 * The format of pload stat -x: counters are lines of fields, and other messages go to standard
 * error as text.
 * The messages have a "separator", and members that say which fields a line has: "time_ns",
 * "per_cpu", "repeats".
 */
extern const struct output_format separated_output_format;

/* message_new() - Create a message with this "type", a static string. NULL: no memory. */
struct json_object *message_new(const char *type);

/* message_print_text() - Print @msg by the renderer of its type; return true. */
bool message_print_text(FILE *file, struct json_object *msg);

/* message_print_beside() - Print it as text to standard error, since @file has something else. */
bool message_print_beside(FILE *file, struct json_object *msg);

/* message_print_colored() - Print it in colours, too. Return false if memory is short. */
bool message_print_colored(FILE *file, struct json_object *msg);

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

/* message_print_count() - Print "1 link", "2 links". */
void message_print_count(FILE *file, uint64_t n, const char *what);

#endif
