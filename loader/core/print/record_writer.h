/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writing records without a message for each. */
#ifndef PLOAD_CORE_PRINT_RECORD_WRITER_H
#define PLOAD_CORE_PRINT_RECORD_WRITER_H

#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"

struct record_writer {
	const struct record_format *format;	/* borrowed */
	enum layout_style style;	/* TREE: each record is printed as a message */
	size_t least, most_payload;	/* bytes of the value and payload of what is written */
	struct layout *layout;	/* owned; of the last value; NULL: there was none */
	char *head;		/* owned: the beginning of each record, and PUT_SLACK bytes */
	size_t head_size;
};

/**
 * record_writer_new() - Prepare to write the records of a map.
 *
 * Return: NULL if memory is short: print messages then.
 */
struct record_writer *record_writer_new(const struct record_format *format,
					enum record_style style);
void record_writer_free(struct record_writer *w);

/* The parts of a record; see record_print(). */
struct record_parts {
	int cpu;		/* -1: not known */
	struct bytes value, payload;
	bool has_value, has_payload;
};

/**
 * record_writer_room() - Return the room that record_writer_put() needs for a record, or 0 if it
 *	must be printed as a message.
 * record_writer_put() - Write the bytes that the message of the record would print, to @to. Return
 *	the end of them.
 * record_writer_tree() - Return the value of a record for a message. @w: may be NULL.
 */
size_t record_writer_room(struct record_writer *w, const struct record_parts *parts);
char *record_writer_put(const struct record_writer *w, char *to, const struct record_parts *parts);
struct json_object *record_writer_tree(struct record_writer *w, const struct record_format *format,
				       struct bytes value);

#endif
