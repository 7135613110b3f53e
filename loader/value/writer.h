/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writing records without a message for each: their type is compiled once into fields. */
#ifndef PLOAD_VALUE_WRITER_H
#define PLOAD_VALUE_WRITER_H

#include "loader/print/message.h"
#include "loader/print/record.h"

/*
 * struct { u32 pid; char comm[16]; u64 at[2]; } as JSON, where @ is the value of the field:
 *
 *	{"pid":@		FIELD_U32	offset 0
 *	,"comm":@		FIELD_CHARS	offset 4, size 16
 *	,"at":@			FIELD_ARRAY	offset 24, size 8, count 2; of each element:
 *		@		FIELD_U64	offset 0
 *		@		FIELD_END
 *	}@			FIELD_END
 *
 * The text before each @ is the same in all records.
 */
enum field_kind {
	FIELD_U8, FIELD_U16, FIELD_U32, FIELD_U64,
	FIELD_S8, FIELD_S16, FIELD_S32, FIELD_S64,
	FIELD_NUMBER,	/* of any other width, or with names, or true and false */
	FIELD_WIDE,	/* 16 bytes */
	FIELD_FLOAT,	/* 4 or 8 bytes */
	FIELD_POINTER,
	FIELD_BYTES,	/* hex */
	FIELD_CHARS,	/* text; the next field prints those that are no text */
	FIELD_ARRAY,	/* the fields of an element follow, and its FIELD_END */
	FIELD_END,
};

struct field {
	enum field_kind kind;
	uint32_t text, text_size;	/* the text before it: in writer->text */
	uint32_t offset;	/* in bytes, from the beginning of the record or element */
	uint32_t size;		/* in bytes; ARRAY: of one element */
	uint32_t first_bit;	/* NUMBER: from @offset on */
	uint32_t bits;		/* NUMBER */
	bool is_signed, is_bool;
	uint32_t names, nr_names;	/* NUMBER: in writer->names, ordered by value */
	uint32_t count;		/* ARRAY */
	uint32_t next;		/* ARRAY, CHARS: the field after its elements or alternative */
};

struct field_name {
	uint64_t value;
	uint32_t text, text_size;
};

/* Short texts are copied by so many bytes at once. */
#define WRITER_SLACK 16

struct record_writer {
	bool json;		/* else text */
	uint32_t size;		/* bytes of the type */
	bool flexible;		/* more bytes are elements of its last member: print a message */
	uint64_t max;		/* characters that a value takes at most */
	char *text;		/* owned; WRITER_SLACK bytes longer than text_size */
	struct field *fields;	/* owned; NULL: bytes without a type */
	struct field_name *names;	/* owned */
	uint32_t text_size, nr_fields, nr_names;
	uint32_t map, map_size;	/* the beginning of each record, in @text */
};

/**
 * record_writer_new() - Compile the type of the records of a map.
 * @style: not RECORDS_AS_MESSAGES.
 *
 * Return: NULL if memory is short, or the type is one whose values depend on the budget of
 * value_decode(), or are printed in some other way: print messages then.
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
 * record_writer_put() - Write the bytes that the message of the record would print, to @to.
 *
 * Return: the end of what was written.
 */
size_t record_writer_room(const struct record_writer *w, const struct record_parts *parts);
char *record_writer_put(const struct record_writer *w, char *to, const struct record_parts *parts);

/* put_string() - Write @s as a JSON string, or as text with @quote or without (0). */
#define PUT_STRING_MAX(size) (6 * (uint64_t)(size) + 2)
char *put_json_string(char *to, const char *s, size_t size);
char *put_text(char *to, const char *s, size_t size, char quote);

#endif
