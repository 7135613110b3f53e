/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writing records without a message for each. */
#ifndef PLOAD_SESSIONS_RECORDS_RECORD_WRITER_H
#define PLOAD_SESSIONS_RECORDS_RECORD_WRITER_H

#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"

/*
 * layout_fit() - Like layout_new(), but reuse @l (owned), a layout of this type and style, if it
 * fits.
 */
static inline struct layout *layout_fit(struct layout *l, const struct btf *btf, uint32_t id,
					size_t size, enum layout_style style)
{
	if (__builtin_expect(l && (size == l->bytes || (l->takes_more && size > l->bytes)), 1))
		return l;
	layout_free(l);
	return layout_new(btf, id, size, style);
}

/**
 * layout_room() - Return the room that layout_write() needs for a value of @size bytes, or 0 if it
 * must be printed through a tree because it may be very long or a multi-line dump.
 * layout_write() - Write the value of @bytes to @to, as text or JSON. Return the end.
 */
static inline size_t layout_room(const struct layout *l, size_t size)
{
	if (l->fields)
		return l->room;
	return l->style == LAYOUT_TEXT && size > VALUE_MAX_INLINE_BYTES ? 0 : PUT_HEX_MAX(size);
}

char *layout_write(const struct layout *l, char *to, struct bytes bytes);

struct record_writer {
	const struct record_format *format;	/* borrowed */
	enum layout_style style;	/* TREE: print each record as a message */
	size_t least, most_payload;	/* bytes of the value and payload to write */
	struct layout *layout;	/* owned; the layout of the last value; NULL: none */
	char *head;		/* owned: the start of each record, plus PUT_SLACK bytes */
	size_t head_size;
};

/**
 * record_writer_new() - Prepare to write the records of a map.
 *
 * Return: NULL if out of memory: print messages then.
 */
struct record_writer *record_writer_new(const struct record_format *format,
					enum record_style style);
void record_writer_free(struct record_writer *w);

/**
 * record_writer_room() - Return the room that record_writer_put() needs for a record, or 0 if it
 *	must be printed as a message.
 * record_writer_put() - Write to @to what the record's message would print. Return the end.
 */
size_t record_writer_room(struct record_writer *w, const struct record_parts *parts);
char *record_writer_put(const struct record_writer *w, char *to, const struct record_parts *parts);

/* Writes the records of a map, or prints messages for those that have stacks or are too long. */
struct writing_printer {
	struct record_printer plain;
	struct record_writer *writer;	/* owned; NULL: print each record as a message */
};

/**
 * writing_printer() - Like record_printer(), but without a message per record; the output is the
 * same.
 * record_write() - Like record_print(); @printer is a struct writing_printer.
 */
int writing_printer(struct record_sink *sink, struct output *out,
		    const struct record_format *format, struct error *err);
int record_write(void *printer, const struct record *record, struct error *err);

#endif
