/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Helpers that the tests of the output share: printing into memory, and BTF from a builder. */
#ifndef PLOAD_TEST_UNIT_OUTPUT_CHECK_H
#define PLOAD_TEST_UNIT_OUTPUT_CHECK_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/sessions/records/record_writer.h"
#include "loader/sessions/rows/results.h"
#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/read/ring.h"
#include "loader/core/value/value.h"
#include "test/unit/common/btf_builder.h"

/* An output that is memory. */
struct printed {
	struct output out;
	char *text;	/* owned; what printed_text() gave */
	size_t size;
};

static inline void printed_begin(struct printed *p, const char *format)
{
	struct error err = { 0 };

	memset(p, 0, sizeof(*p));
	p->out.format = output_format_find(format, &err);
	ck_assert_ptr_nonnull(p->out.format);
	p->out.file = open_memstream(&p->text, &p->size);
	ck_assert_ptr_nonnull(p->out.file);
}

static inline const char *printed_text(struct printed *p)
{
	output_pass_on(&p->out);
	fflush(p->out.file);
	return p->text;
}

static inline void printed_end(struct printed *p)
{
	output_free_room(&p->out);
	fclose(p->out.file);
	free(p->text);
}

/* A map whose records are printed. */
static inline struct ring_map printed_map(struct output *out, int fd,
					  const struct record_format *format)
{
	struct ring_map map = { .name = format->map, .fd = fd };

	ck_assert_int_eq(writing_printer(&map.sink, out, format, NULL), 0);
	return map;
}

/* The types of a test, and the finished BTF. */
struct types {
	struct btf_builder b;
	struct buffer raw;
	struct btf btf;
	uint32_t u8, u32, u64, s32, chr;	/* made by types_begin() */
};

static inline void types_begin(struct types *t)
{
	memset(t, 0, sizeof(*t));
	t->u8 = bb_int(&t->b, "unsigned char", 1, 0);
	t->u32 = bb_int(&t->b, "unsigned int", 4, 0);
	t->u64 = bb_int(&t->b, "unsigned long", 8, 0);
	t->s32 = bb_int(&t->b, "int", 4, BTF_INT_SIGNED);
	t->chr = bb_int(&t->b, "char", 1, BTF_INT_SIGNED);
}

static inline void types_finish(struct types *t)
{
	struct error err = { 0 };
	int ret;

	t->raw = bb_btf(&t->b);
	ret = btf_parse(&t->btf, buffer_bytes(&t->raw), &err);
	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
}

static inline void types_end(struct types *t)
{
	btf_free(&t->btf);
	buffer_free(&t->raw);
	bb_free(&t->b);
}

/*
 * A record with @bytes as type @id is printed alike by its message and by the compiled fields of
 * the type. Return true if the type was compiled, and @bytes are a record that the fields print.
 */
static inline bool expect_same_record(const struct btf *btf, uint32_t id, const void *bytes,
				      size_t size, const char *format)
{
	struct writing_printer printer = {
		.plain.format = { .map = "a \"\xff\n", .btf = btf, .type = id },
	};
	static struct output_room kept;	/* allocating it takes longer than what is tested */
	struct printed by_message, by_fields;
	struct error err = { 0 };
	bool compiled;

	for (int cpu = -1; cpu < 2; cpu += 2) {
		const struct record record = { .bytes = { bytes, size }, .cpu = cpu };

		printed_begin(&by_message, format);
		printer.plain.out = &by_message.out;
		ck_assert_int_eq(record_write(&printer, &record, &err), 0);
		printed_begin(&by_fields, format);
		by_fields.out.written = kept;
		printer.plain.out = &by_fields.out;
		printer.writer = record_writer_new(&printer.plain.format, printer.plain.out->format->records);
		ck_assert_int_eq(record_write(&printer, &record, &err), 0);
		compiled = by_fields.out.written.size;
		ck_assert_str_eq(printed_text(&by_fields), printed_text(&by_message));
		kept = by_fields.out.written;
		by_fields.out.written = (struct output_room){ 0 };
		record_writer_free(printer.writer);
		printer.writer = NULL;
		printed_end(&by_fields);
		printed_end(&by_message);
	}
	return compiled;
}

/* @bytes as type @id looks like @json and like @text; either NULL: not looked at. */
static inline void expect_value(const struct btf *btf, uint32_t id, const void *bytes, size_t size,
				const char *json, const char *text)
{
	struct json_object *value = value_decode(btf, id, (struct bytes){ bytes, size });
	char *got = NULL;
	size_t got_size;
	FILE *file;

	ck_assert_ptr_nonnull(value);
	if (json)
		ck_assert_str_eq(json_object_to_json_string(value),
				 json);
	file = open_memstream(&got, &got_size);
	value_print(file, value);
	fclose(file);
	if (text)
		ck_assert_str_eq(got, text);
	free(got);
	json_object_put(value);
	expect_same_record(btf, id, bytes, size, "json");
	expect_same_record(btf, id, bytes, size, "text");
}

#endif
