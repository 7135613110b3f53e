// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The .BTF.ext reader: all kinds of records in both byte orders, each check seen to refuse. */
#include <errno.h>
#include <stdio.h>

#include "elf/btf_ext.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

enum { INT = 1, PROTO, FUNC, STRUCT };

/*
 * The offsets in the sample: a header of 32 bytes, then the record size, the section heads and the
 * records of each kind.
 */
enum {
	FUNC_SIZE = 32, FUNC_TEXT = FUNC_SIZE + 4, FUNC_PROG = FUNC_TEXT + 8 + 2 * 8,
	LINE_SIZE = FUNC_PROG + 8 + 8, LINE_PROG = LINE_SIZE + 4,
	CORE_SIZE = LINE_PROG + 8 + 2 * 16, CORE_PROG = CORE_SIZE + 4, END = CORE_PROG + 8 + 16,
};

struct sample {
	struct buffer btf_raw, raw;
	struct btf btf;
};

static void sample(struct sample *s, bool big_endian)
{
	struct btf_builder b = { .foreign = big_endian != HOST_BIG_ENDIAN };
	struct error err = { 0 };

	bb_int(&b, "int", 4, BTF_INT_SIGNED);
	bb_proto(&b, INT);
	bb_func(&b, "f", PROTO, BTF_FUNC_STATIC);
	bb_struct(&b, BTF_KIND_STRUCT, "s", 4, false);
	bb_member(&b, "m", INT, 0, 0);
	bb_func_info(&b, ".text", 0, FUNC);
	bb_func_info(&b, ".text", 16, FUNC);
	bb_func_info(&b, "perf_event", 0, FUNC);
	bb_line_info(&b, "perf_event", 0, "a.c", "int f(void)", 3, 1);
	bb_line_info(&b, "perf_event", 8, "a.c", "return 0;", 1000, 9);
	bb_core_relo(&b, "perf_event", 8, STRUCT, "0:0", 2);
	s->btf_raw = bb_btf(&b);
	s->raw = bb_ext(&b);
	bb_free(&b);
	ck_assert_uint_eq(s->raw.size, END);
	ck_assert_int_eq(btf_parse(&s->btf, buffer_bytes(&s->btf_raw), &err), 0);
}

static void done(struct sample *s)
{
	btf_free(&s->btf);
	buffer_free(&s->btf_raw);
	buffer_free(&s->raw);
}

TEST_EACH(records_of_every_kind, 2)
{
	struct sample s;
	struct error err = { 0 };
	struct btf_ext ext;
	const struct btf_ext_sec *sec;
	struct btf_line_info line;
	struct btf_core_relo core;

	sample(&s, _i);
	ck_assert_msg(btf_ext_parse(&ext, buffer_bytes(&s.raw), &s.btf, &err) == 0, "%s: %s",
		      err.where, err.what);
	ck_assert_uint_eq(ext.func_info.nr_secs, 2);
	sec = btf_ext_find(&ext.func_info, ".text");
	ck_assert_str_eq(sec->section, ".text");
	ck_assert_uint_eq(sec->num, 2);
	ck_assert_uint_eq(sec->rec_size, 8);
	ck_assert_uint_eq(sec->records.size, 16);
	ck_assert_uint_eq(btf_ext_func(&ext, sec, 1).insn_off, 16);
	ck_assert_uint_eq(btf_ext_func(&ext, sec, 1).type_id, FUNC);
	ck_assert_uint_eq(btf_ext_find(&ext.func_info, "perf_event")->num, 1);
	ck_assert_ptr_null(btf_ext_find(&ext.func_info, "perf_even"));
	ck_assert_ptr_null(btf_ext_find(&ext.line_info, ".text"));
	sec = btf_ext_find(&ext.line_info, "perf_event");
	line = btf_ext_line(&ext, sec, 1);
	ck_assert_uint_eq(line.insn_off, 8);
	ck_assert_str_eq(btf_string(&s.btf, line.file_name_off), "a.c");
	ck_assert_str_eq(btf_string(&s.btf, line.line_off), "return 0;");
	ck_assert_uint_eq(line.line_col, 1000 << 10 | 9);
	sec = btf_ext_find(&ext.core_relo, "perf_event");
	core = btf_ext_core(&ext, sec, 0);
	ck_assert_uint_eq(core.insn_off, 8);
	ck_assert_uint_eq(core.type_id, STRUCT);
	ck_assert_str_eq(btf_string(&s.btf, core.access_str_off), "0:0");
	ck_assert_uint_eq(core.kind, 2);
	btf_ext_free(&ext);
	ck_assert_ptr_null(ext.func_info.secs);
	done(&s);
}

/* gcc 12 does not write CO-RE relocations in the order of the instructions. */
TEST_EACH(core_relocations_are_sorted, 6)
{
	static const struct {
		uint32_t offsets[5];
		const char *in_order[5];
	} orders[] = {
		{ { 24, 0, 16, 0, 8 }, { "0:1", "0:3", "0:4", "0:2", "0:0" } },
		{ { 0, 8, 16, 24, 8 }, { "0:0", "0:1", "0:4", "0:2", "0:3" } },	/* the last alone */
		{ { 8, 0, 16, 24, 32 }, { "0:1", "0:0", "0:2", "0:3", "0:4" } }, /* the first alone */
	};
	const uint32_t *offsets = orders[_i / 2].offsets;
	const char *const *in_order = orders[_i / 2].in_order;
	struct btf_builder b = { .foreign = _i % 2 };
	const struct btf_ext_sec *sec;
	struct buffer btf_raw, raw;
	struct error err = { 0 };
	struct btf_ext ext;
	struct btf btf;

	bb_int(&b, "int", 4, BTF_INT_SIGNED);
	for (uint32_t i = 0; i < 5; i++) {
		const char access[] = { '0', ':', '0' + i, '\0' };

		bb_core_relo(&b, "xdp", offsets[i], INT, access, i);
	}
	btf_raw = bb_btf(&b);
	raw = bb_ext(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&btf_raw), &err), 0);
	ck_assert_int_eq(btf_ext_parse(&ext, buffer_bytes(&raw), &btf, &err), 0);
	sec = btf_ext_find(&ext.core_relo, "xdp");
	for (uint32_t i = 0; i < 5; i++) {
		struct btf_core_relo core = btf_ext_core(&ext, sec, i);

		ck_assert_str_eq(btf_string(&btf, core.access_str_off), in_order[i]);
		ck_assert_uint_eq(core.insn_off, offsets[core.kind]);
	}
	btf_ext_free(&ext);
	btf_free(&btf);
	buffer_free(&btf_raw);
	buffer_free(&raw);
	bb_free(&b);
}

/* The header before CO-RE has no core_relo; the 8 bytes after it are data then. */
TEST_EACH(short_header, 2)
{
	struct sample s;
	struct error err = { 0 };
	struct btf_ext ext;
	struct buffer raw = { 0 };

	sample(&s, _i);
	buffer_add(&raw, s.raw.data, 24);
	buffer_add(&raw, s.raw.data + 32, s.raw.size - 32);
	buffer_poke(&raw, 4, 4, 24, _i);
	ck_assert_int_eq(btf_ext_parse(&ext, buffer_bytes(&raw), &s.btf, &err), 0);
	ck_assert_uint_eq(ext.line_info.nr_secs, 1);
	ck_assert_uint_eq(ext.core_relo.nr_secs, 0);
	ck_assert_ptr_null(btf_ext_find(&ext.core_relo, "perf_event"));
	btf_ext_free(&ext);
	buffer_free(&raw);
	done(&s);
}

TEST_EACH(records_larger_than_known, 2)
{
	struct sample s;
	struct error err = { 0 };
	struct btf_ext ext;
	struct buffer raw = { 0 };
	const struct btf_ext_sec *sec;

	sample(&s, _i);
	buffer_add(&raw, s.raw.data, FUNC_PROG);
	buffer_poke(&raw, FUNC_SIZE, 4, 16, _i);
	buffer_poke(&raw, FUNC_TEXT + 4, 4, 1, _i); /* two records of 8 bytes become one of 16 */
	buffer_poke(&raw, 12, 4, FUNC_PROG - FUNC_SIZE, _i);
	buffer_poke(&raw, 20, 4, 0, _i);
	buffer_poke(&raw, 28, 4, 0, _i);
	ck_assert_msg(btf_ext_parse(&ext, buffer_bytes(&raw), &s.btf, &err) == 0, "%s: %s",
		      err.where, err.what);
	sec = btf_ext_find(&ext.func_info, ".text");
	ck_assert_uint_eq(sec->rec_size, 16);
	ck_assert_uint_eq(btf_ext_func(&ext, sec, 0).type_id, FUNC);
	ck_assert_uint_eq(ext.line_info.nr_secs, 0);
	btf_ext_free(&ext);
	buffer_free(&raw);
	done(&s);
}

static const struct broken {
	size_t at, width;
	uint32_t value;
	struct expect e;
} broken[] = {
	{ 0, 2, 0x1234, { EBADMSG, ".BTF.ext header", "is not 0xeb9f", NULL } },
	{ 2, 1, 2, { EBADMSG, ".BTF.ext header", "version 2", NULL } },
	{ 3, 1, 1, { EBADMSG, ".BTF.ext header", "flags 0x1", NULL } },
	{ 4, 4, 20, { EBADMSG, ".BTF.ext header", "header length 20", NULL } },
	{ 4, 4, UINT32_MAX, { EBADMSG, ".BTF.ext header", "header length 4294967295", NULL } },
	{ 8, 4, UINT32_MAX - 3, { EBADMSG, ".BTF.ext func_info", "do not fit", NULL } },
	{ 8, 4, 2, { EBADMSG, ".BTF.ext func_info", "do not fit", NULL } },
	{ 12, 4, UINT32_MAX,
	  { EBADMSG, ".BTF.ext func_info", "0xffffffff bytes at 0x0 do not fit", NULL } },
	{ 12, 4, 3, { EBADMSG, ".BTF.ext func_info", "record size 0", NULL } },
	{ 12, 4, LINE_SIZE - FUNC_SIZE - 4,
	  { EBADMSG, ".BTF.ext func_info", "1 records of section 'perf_event'", NULL } },
	{ 12, 4, FUNC_PROG - FUNC_SIZE + 4,
	  { EBADMSG, ".BTF.ext func_info", "4 trailing bytes", NULL } },
	{ 16, 4, UINT32_MAX - 3, { EBADMSG, ".BTF.ext line_info", "do not fit", NULL } },
	{ 28, 4, UINT32_MAX, { EBADMSG, ".BTF.ext core_relo", "do not fit", NULL } },
	{ FUNC_SIZE, 4, 7, { EBADMSG, ".BTF.ext func_info", "record size 7", NULL } },
	{ FUNC_SIZE, 4, 9, { EBADMSG, ".BTF.ext func_info", "record size 9", NULL } },
	{ FUNC_SIZE, 4, UINT32_MAX - 3, { EBADMSG, ".BTF.ext func_info", "do not fit", NULL } },
	{ LINE_SIZE, 4, 12, { EBADMSG, ".BTF.ext line_info", "record size 12", NULL } },
	{ FUNC_TEXT, 4, 99999,
	  { EBADMSG, ".BTF.ext func_info", "section's name at 0x1869f", NULL } },
	{ FUNC_TEXT + 4, 4, UINT32_MAX,
	  { EBADMSG, ".BTF.ext func_info", "4294967295 records of section '.text'", NULL } },
	{ FUNC_TEXT + 4, 4, 0, { EBADMSG, ".BTF.ext func_info", "0 records", NULL } },
	{ FUNC_TEXT + 8, 4, 4,
	  { EBADMSG, ".BTF.ext func_info of section '.text'[0]", "not the start of an instruction",
	    NULL } },
	{ FUNC_TEXT + 8, 4, 24,
	  { EBADMSG, ".BTF.ext func_info of section '.text'[1]", "0x10 comes after 0x18", NULL } },
	{ FUNC_TEXT + 20, 4, 99,
	  { EBADMSG, ".BTF.ext func_info of section '.text'[1]", "type 99 of 5", NULL } },
	{ FUNC_TEXT + 20, 4, 5,
	  { EBADMSG, ".BTF.ext func_info of section '.text'[1]", "type 5 of 5", NULL } },
	{ FUNC_TEXT + 20, 4, INT,
	  { EBADMSG, ".BTF.ext func_info of section '.text'[1]", "is a int, not a func", NULL } },
	{ LINE_PROG + 12, 4, 99999,
	  { EBADMSG, ".BTF.ext line_info of section 'perf_event'[0]", "the file's name", NULL } },
	{ LINE_PROG + 16, 4, 99999,
	  { EBADMSG, ".BTF.ext line_info of section 'perf_event'[0]", "source line", NULL } },
	{ LINE_PROG + 24, 4, 7,
	  { EBADMSG, ".BTF.ext line_info of section 'perf_event'[1]", "instruction", NULL } },
	{ CORE_PROG + 12, 4, 5,
	  { EBADMSG, ".BTF.ext core_relo of section 'perf_event'[0]", "type 5 of 5", NULL } },
	{ CORE_PROG + 16, 4, 99999,
	  { EBADMSG, ".BTF.ext core_relo of section 'perf_event'[0]", "access string", NULL } },
};

TEST_ROWS(one_field_broken, broken)
{
	const struct broken *row = &broken[_i];

	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct sample s;
		struct error err = { 0 };
		struct btf_ext ext;
		char name[64];

		sample(&s, big_endian);
		buffer_poke(&s.raw, row->at, row->width, row->value, big_endian);
		snprintf(name, sizeof(name), "+%zu = %#x", row->at, row->value);
		expect_error(name, btf_ext_parse(&ext, buffer_bytes(&s.raw), &s.btf, &err), &err,
			     &row->e);
		ck_assert_ptr_null(ext.func_info.secs);
		ck_assert_ptr_null(ext.line_info.secs);
		done(&s);
	}
}

TEST(a_section_twice)
{
	const struct expect e = { EBADMSG, ".BTF.ext func_info", "section '.text' occurs twice",
				  NULL };
	struct sample s;
	struct error err = { 0 };
	struct btf_ext ext;

	sample(&s, false);
	memcpy(s.raw.data + FUNC_PROG, s.raw.data + FUNC_TEXT, 4);
	expect_error("twice", btf_ext_parse(&ext, buffer_bytes(&s.raw), &s.btf, &err), &err, &e);
	done(&s);
}

/* Names are compared when they are looked up; the work that a hostile file can cause is bounded. */
TEST(section_names_are_bounded)
{
	for (size_t len = 4095; len <= 4096; len++) {
		struct btf_builder b = { 0 };
		struct error err = { 0 };
		struct buffer btf_raw, raw;
		struct btf_ext ext;
		struct btf btf;
		char name[4097];

		memset(name, 'a', len);
		name[len] = '\0';
		bb_line_info(&b, name, 0, "a.c", "return 0;", 1, 1);
		btf_raw = bb_btf(&b);
		raw = bb_ext(&b);
		ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&btf_raw), &err), 0);
		ck_assert_int_eq(btf_ext_parse(&ext, buffer_bytes(&raw), &btf, &err),
				 len == 4095 ? 0 : -EBADMSG);
		btf_ext_free(&ext);
		btf_free(&btf);
		buffer_free(&btf_raw);
		buffer_free(&raw);
		bb_free(&b);
	}
}

TEST_EACH(truncated_at_every_length, 2)
{
	struct sample s;

	sample(&s, _i);
	for (size_t size = 0; size < s.raw.size; size++) {
		struct error err = { 0 };
		struct btf_ext ext;
		unsigned char *copy = malloc(size + !size);

		memcpy(copy, s.raw.data, size);
		ck_assert_int_eq(btf_ext_parse(&ext, (struct bytes){ .data = copy, .size = size },
					       &s.btf, &err),
				 -EBADMSG);
		ck_assert_ptr_nonnull(strstr(err.where, ".BTF.ext"));
		free(copy);
	}
	done(&s);
}
