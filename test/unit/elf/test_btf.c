// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The BTF reader: every kind in both byte orders, every check seen to refuse, and no hanging. */
#include <errno.h>
#include <stdio.h>

#include "elf/btf.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/* The types of the sample, in the order in which they are built. */
enum {
	INT = 1,
	LONG,
	PTR,
	ARRAY,
	STRUCT,
	BITS,
	UNION,
	ENUM,
	SENUM,
	ENUM64,
	FWD,
	TYPEDEF,
	VOLATILE,
	CONST,
	RESTRICT,
	PROTO,
	FUNC,
	VAR,
	DATASEC,
	FLOAT,
	DECL_TAG,
	TYPE_TAG,
	MATRIX,
	NR_TYPES,
};

static void sample(struct btf_builder *b, bool big_endian)
{
	*b = (struct btf_builder){ .foreign = big_endian != HOST_BIG_ENDIAN };
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "unsigned long", 8, 0);
	bb_ref(b, BTF_KIND_PTR, "", STRUCT);
	bb_array(b, INT, LONG, 3);
	bb_struct(b, BTF_KIND_STRUCT, "pair", 24, false);
	bb_member(b, "first", LONG, 0, 0);
	bb_member(b, "rest", ARRAY, 64, 0);
	bb_struct(b, BTF_KIND_STRUCT, "bits", 4, true);
	bb_member(b, "low", INT, 0, 3);
	bb_member(b, "high", INT, 3, 29);
	bb_struct(b, BTF_KIND_UNION, "", 8, false);
	bb_member(b, "a", LONG, 0, 0);
	bb_member(b, "b", PTR, 0, 0);
	bb_enum(b, BTF_KIND_ENUM, "color", 4, false);
	bb_enumerator(b, "RED", 1);
	bb_enumerator(b, "HUGE", 0xffffffff);
	bb_enum(b, BTF_KIND_ENUM, "sign", 4, true);
	bb_enumerator(b, "MINUS", -1);
	bb_enum(b, BTF_KIND_ENUM64, "wide", 8, false);
	bb_enumerator(b, "WIDE", UINT64_C(0x123456789abcdef0));
	bb_fwd(b, "later", true);
	bb_ref(b, BTF_KIND_TYPEDEF, "alias", VOLATILE);
	bb_ref(b, BTF_KIND_VOLATILE, "", CONST);
	bb_ref(b, BTF_KIND_CONST, "", RESTRICT);
	bb_ref(b, BTF_KIND_RESTRICT, "", TYPE_TAG);
	bb_proto(b, INT);
	bb_param(b, "x", LONG);
	bb_param(b, "", 0);
	bb_func(b, "work", PROTO, BTF_FUNC_GLOBAL);
	bb_var(b, "counter", LONG, BTF_VAR_GLOBAL_ALLOCATED);
	bb_datasec(b, ".bss", 16);
	bb_datasec_var(b, VAR, 8, 8);
	bb_datasec_var(b, FUNC, 0, 0);
	bb_float(b, "double", 8);
	bb_decl_tag(b, "mark", STRUCT, 1);
	bb_ref(b, BTF_KIND_TYPE_TAG, "kptr", STRUCT);
	bb_array(b, ARRAY, LONG, 5);
}

static struct buffer open_sample(struct btf *btf, bool big_endian)
{
	struct btf_builder b;
	struct error err = { 0 };
	struct buffer raw;
	int ret;

	sample(&b, big_endian);
	raw = bb_btf(&b);
	bb_free(&b);
	ret = btf_parse(btf, buffer_bytes(&raw), &err);
	ck_assert_msg(ret == 0, "%s: %s", err.where, err.what);
	return raw;
}

TEST_EACH(types_of_every_kind, 2)
{
	static const struct btf_type_view expected[NR_TYPES] = {
		[0] = { "", 0, BTF_KIND_UNKN, 0, false, 0, 0, 0 },
		[INT] = { "int", INT, BTF_KIND_INT, 0, false, 4, 0, BTF_INT_SIGNED << 24 | 32 },
		[LONG] = { "unsigned long", LONG, BTF_KIND_INT, 0, false, 8, 0, 64 },
		[PTR] = { "", PTR, BTF_KIND_PTR, 0, false, 0, STRUCT, 0 },
		[ARRAY] = { "", ARRAY, BTF_KIND_ARRAY, 0, false, 0, 0, 0 },
		[STRUCT] = { "pair", STRUCT, BTF_KIND_STRUCT, 2, false, 24, 0, 0 },
		[BITS] = { "bits", BITS, BTF_KIND_STRUCT, 2, true, 4, 0, 0 },
		[UNION] = { "", UNION, BTF_KIND_UNION, 2, false, 8, 0, 0 },
		[ENUM] = { "color", ENUM, BTF_KIND_ENUM, 2, false, 4, 0, 0 },
		[SENUM] = { "sign", SENUM, BTF_KIND_ENUM, 1, true, 4, 0, 0 },
		[ENUM64] = { "wide", ENUM64, BTF_KIND_ENUM64, 1, false, 8, 0, 0 },
		[FWD] = { "later", FWD, BTF_KIND_FWD, 0, true, 0, 0, 0 },
		[TYPEDEF] = { "alias", TYPEDEF, BTF_KIND_TYPEDEF, 0, false, 0, VOLATILE, 0 },
		[VOLATILE] = { "", VOLATILE, BTF_KIND_VOLATILE, 0, false, 0, CONST, 0 },
		[CONST] = { "", CONST, BTF_KIND_CONST, 0, false, 0, RESTRICT, 0 },
		[RESTRICT] = { "", RESTRICT, BTF_KIND_RESTRICT, 0, false, 0, TYPE_TAG, 0 },
		[PROTO] = { "", PROTO, BTF_KIND_FUNC_PROTO, 2, false, 0, INT, 0 },
		[FUNC] = { "work", FUNC, BTF_KIND_FUNC, 0, false, 0, PROTO, BTF_FUNC_GLOBAL },
		[VAR] = { "counter", VAR, BTF_KIND_VAR, 0, false, 0, LONG,
			  BTF_VAR_GLOBAL_ALLOCATED },
		[DATASEC] = { ".bss", DATASEC, BTF_KIND_DATASEC, 2, false, 16, 0, 0 },
		[FLOAT] = { "double", FLOAT, BTF_KIND_FLOAT, 0, false, 8, 0, 0 },
		[DECL_TAG] = { "mark", DECL_TAG, BTF_KIND_DECL_TAG, 0, false, 0, STRUCT, 1 },
		[TYPE_TAG] = { "kptr", TYPE_TAG, BTF_KIND_TYPE_TAG, 0, false, 0, STRUCT, 0 },
		[MATRIX] = { "", MATRIX, BTF_KIND_ARRAY, 0, false, 0, 0, 0 },
	};
	struct btf btf;
	struct buffer raw = open_sample(&btf, _i);

	ck_assert_uint_eq(btf.nr_types, NR_TYPES);
	for (uint32_t id = 0; id < NR_TYPES; id++) {
		struct btf_type_view t = btf_type(&btf, id);
		const struct btf_type_view *e = &expected[id];

		ck_assert_msg(!strcmp(t.name, e->name), "type %u: '%s'", id, t.name);
		ck_assert_msg(t.id == id && t.kind == e->kind && t.vlen == e->vlen &&
				      t.kind_flag == e->kind_flag,
			      "type %u: id %u, kind %u, vlen %u, flag %d", id, t.id, t.kind, t.vlen,
			      t.kind_flag);
		ck_assert_msg(t.size == e->size && t.type == e->type && t.extra == e->extra,
			      "type %u: size %u, type %u, extra %#x", id, t.size, t.type, t.extra);
	}
	btf_free(&btf);
	ck_assert_ptr_null(btf.offsets);
	buffer_free(&raw);
}

TEST_EACH(entries_of_every_kind, 2)
{
	struct btf btf;
	struct buffer raw = open_sample(&btf, _i);
	struct btf_type_view t = btf_type(&btf, STRUCT);
	struct btf_member_view m = btf_member(&btf, &t, 1);

	ck_assert_str_eq(m.name, "rest");
	ck_assert_uint_eq(m.type, ARRAY);
	ck_assert_uint_eq(m.bit_offset, 64);
	ck_assert_uint_eq(m.bitfield_size, 0);
	t = btf_type(&btf, BITS);
	m = btf_member(&btf, &t, 1);
	ck_assert_uint_eq(m.bit_offset, 3);
	ck_assert_uint_eq(m.bitfield_size, 29);
	t = btf_type(&btf, ARRAY);
	ck_assert_uint_eq(btf_array(&btf, &t).type, INT);
	ck_assert_uint_eq(btf_array(&btf, &t).index_type, LONG);
	ck_assert_uint_eq(btf_array(&btf, &t).nelems, 3);
	t = btf_type(&btf, ENUM);
	ck_assert_str_eq(btf_enumerator(&btf, &t, 1).name, "HUGE");
	ck_assert(btf_enumerator(&btf, &t, 1).value == UINT64_C(0xffffffff));
	t = btf_type(&btf, SENUM);
	ck_assert(btf_enumerator(&btf, &t, 0).value == UINT64_MAX);
	t = btf_type(&btf, ENUM64);
	ck_assert_str_eq(btf_enumerator(&btf, &t, 0).name, "WIDE");
	ck_assert(btf_enumerator(&btf, &t, 0).value == UINT64_C(0x123456789abcdef0));
	t = btf_type(&btf, DATASEC);
	ck_assert_uint_eq(btf_datasec_var(&btf, &t, 0).type, VAR);
	ck_assert_uint_eq(btf_datasec_var(&btf, &t, 0).offset, 8);
	ck_assert_uint_eq(btf_datasec_var(&btf, &t, 0).size, 8);
	btf_free(&btf);
	buffer_free(&raw);
}

/* The number of members has 16 bits. */
TEST_EACH(many_members, 2)
{
	struct btf_builder b = { .foreign = _i };
	struct error err = { 0 };
	struct buffer raw;
	struct btf btf;
	struct btf_type_view t;

	bb_int(&b, "int", 4, BTF_INT_SIGNED);
	bb_struct(&b, BTF_KIND_STRUCT, "long_list", 4 * 0x123, false);
	for (uint32_t i = 0; i < 0x123; i++)
		bb_member(&b, "m", 1, 32 * i, 0);
	raw = bb_btf(&b);
	bb_free(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), &err), 0);
	t = btf_type(&btf, 2);
	ck_assert_uint_eq(t.vlen, 0x123);
	ck_assert_uint_eq(btf_member(&btf, &t, 0x122).bit_offset, 32 * 0x122);
	btf_free(&btf);
	buffer_free(&raw);
}

TEST_EACH(questions, 2)
{
	static const int64_t sizes[NR_TYPES] = {
		-EINVAL, [INT] = 4, [LONG] = 8, [PTR] = 8, [ARRAY] = 12, [STRUCT] = 24, [BITS] = 4,
		[UNION] = 8, [ENUM] = 4, [SENUM] = 4, [ENUM64] = 8, [FWD] = -EINVAL,
		[TYPEDEF] = 24, [VOLATILE] = 24, [CONST] = 24, [RESTRICT] = 24, [PROTO] = -EINVAL,
		[FUNC] = -EINVAL, [VAR] = 8, [DATASEC] = 16, [FLOAT] = 8, [DECL_TAG] = -EINVAL,
		[TYPE_TAG] = 24, [MATRIX] = 60,
	};
	struct btf btf;
	struct buffer raw = open_sample(&btf, _i);

	for (uint32_t id = 0; id < NR_TYPES; id++)
		ck_assert_int_eq(btf_size(&btf, id), sizes[id]);
	ck_assert_uint_eq(btf_skip(&btf, TYPEDEF).id, STRUCT);
	ck_assert_uint_eq(btf_skip(&btf, PTR).id, PTR);
	ck_assert_uint_eq(btf_skip(&btf, 0).kind, BTF_KIND_UNKN);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_STRUCT, "bits"), BITS);
	ck_assert_uint_eq(btf_find(&btf, BTF_KIND_UNION, "bits"), 0);
	ck_assert_str_eq(btf_string(&btf, 0), "");
	ck_assert_str_eq(btf_string(&btf, 1), "int");
	ck_assert_ptr_null(btf_string(&btf, btf.strings.size));
	ck_assert_ptr_null(btf_string(&btf, UINT32_MAX));
	ck_assert_str_eq(btf_kind_name(BTF_KIND_ENUM64), "enum64");
	ck_assert_str_eq(btf_kind_name(BTF_KIND_UNKN), "void");
	ck_assert_str_eq(btf_kind_name(77), "unknown kind");
	btf_free(&btf);
	buffer_free(&raw);
}

/* A field to break: of the header (type 0), or the word @at of a type. */
static const struct broken {
	uint32_t type;
	size_t at, width;
	uint32_t value;
	struct expect e;
} broken[] = {
	{ 0, offsetof(struct btf_header, magic), 2, 0x1234,
	  { EBADMSG, "BTF header", "is not 0xeb9f" } },
	{ 0, offsetof(struct btf_header, version), 1, 2,
	  { ENOTSUP, "BTF header", "version 2", "newer compiler" } },
	{ 0, offsetof(struct btf_header, flags), 1, 1,
	  { ENOTSUP, "BTF header", "flags 0x1", "newer compiler" } },
	{ 0, offsetof(struct btf_header, hdr_len), 4, 23,
	  { EBADMSG, "BTF header", "header length 23" } },
	{ 0, offsetof(struct btf_header, hdr_len), 4, UINT32_MAX,
	  { EBADMSG, "BTF header", "header length" } },
	{ 0, offsetof(struct btf_header, hdr_len), 4, 28,
	  { ENOTSUP, "BTF header", "is not zero", "newer compiler" } },
	{ 0, offsetof(struct btf_header, type_off), 4, 2,
	  { EBADMSG, "BTF header", "types at 0x2" } },
	{ 0, offsetof(struct btf_header, type_len), 4, UINT32_MAX,
	  { EBADMSG, "BTF header", "types at 0x0, 0xffffffff" } },
	{ 0, offsetof(struct btf_header, type_off), 4, UINT32_MAX - 3,
	  { EBADMSG, "BTF header", "types at" } },
	{ 0, offsetof(struct btf_header, str_off), 4, UINT32_MAX,
	  { EBADMSG, "BTF header", "strings at 0xffffffff" } },
	/*
	 * Found by reading for the fuzzer: filling in sizes of sections wrote over names, and the
	 * other way round.
	 */
	{ 0, offsetof(struct btf_header, str_off), 4, 4,
	  { EBADMSG, "BTF header", "overlap strings at 0x4" } },
	{ 0, offsetof(struct btf_header, str_len), 4, UINT32_MAX,
	  { EBADMSG, "BTF header", "strings at" } },
	{ 0, offsetof(struct btf_header, str_len), 4, 0,
	  { EBADMSG, "BTF header", "start and end with a zero" } },
	{ 0, offsetof(struct btf_header, str_len), 4, 3,
	  { EBADMSG, "BTF header", "start and end with a zero" } },
	{ 0, offsetof(struct btf_header, type_len), 4, 20,
	  { EBADMSG, "BTF type 2", "it is truncated" } },
	{ INT, 0, 4, 100000, { EBADMSG, "BTF type 1 ''", "the name offset 0x186a0" } },
	{ INT, 4, 4, 23u << 24, { ENOTSUP, "BTF type 1", "kind 23 is unknown" } },
	{ INT, 4, 4, 0, { EBADMSG, "BTF type 1", "kind 0 is void" } },
	{ INT, 4, 4, 1u << 24 | 1u << 16, { EBADMSG, "BTF type 1", "this one has 65536" } },
	{ INT, 4, 4, 1u << 24 | 1u << 30, { ENOTSUP, "BTF type 1", "kind 65 is unknown" } },
	{ INT, 4, 4, 1u << 24 | 7, { EBADMSG, "BTF type 1", "this one has 7" } },
	{ STRUCT, 4, 4, 4u << 24 | 0xffff,
	  { EBADMSG, "BTF type 5", "a struct with 65535 entries" } },
	{ INT, 8, 4, 3, { EBADMSG, "BTF type 1 'int'", "into an int of 3 bytes" } },
	{ INT, 8, 4, 2, { EBADMSG, "BTF type 1 'int'", "32 bits from bit 0" } },
	{ INT, 8, 4, 32, { EBADMSG, "BTF type 1 'int'", "into an int of 32 bytes" } },
	{ LONG, 8, 4, 12, { EBADMSG, "BTF type 2", "into an int of 12 bytes" } },
	{ INT, 12, 4, 1 << 16 | 32, { EBADMSG, "BTF type 1 'int'", "32 bits from bit 1" } },
	{ PTR, 8, 4, 99, { EBADMSG, "BTF type 3 ''", "refers to type 99 of 24" } },
	{ PTR, 8, 4, NR_TYPES, { EBADMSG, "BTF type 3 ''", "refers to type 24 of 24" } },
	{ ARRAY, 12, 4, 99, { EBADMSG, "BTF type 4 ''", "refers to type 99" } },
	{ ARRAY, 16, 4, 99, { EBADMSG, "BTF type 4 ''", "refers to type 99" } },
	{ ARRAY, 20, 4, 5,
	  { EBADMSG, "BTF type 5 'pair'", "member 1 'rest' of 0x14 bytes at bit 64 is outside",
	    NULL } },
	{ STRUCT, 12, 4, 99999, { EBADMSG, "BTF type 5 'pair': entry 0", "the name offset" } },
	{ STRUCT, 28, 4, 99, { EBADMSG, "BTF type 5 'pair': entry 1", "refers to type 99" } },
	{ STRUCT, 28, 4, 0,
	  { EBADMSG, "BTF type 5 'pair'", "member 1 'rest' has type 0, whose size is unknown" } },
	{ STRUCT, 28, 4, FWD, { EBADMSG, "BTF type 5 'pair'", "whose size is unknown" } },
	{ STRUCT, 28, 4, STRUCT, { EBADMSG, "BTF type 5 'pair'", "is outside" } },
	{ STRUCT, 16, 4, TYPEDEF, { EBADMSG, "BTF type 5 'pair'", "contains itself" } },
	{ STRUCT, 32, 4, 63, { EBADMSG, "BTF type 5 'pair'", "but is not a bit field" } },
	{ STRUCT, 32, 4, 104,
	  { EBADMSG, "BTF type 5 'pair'", "is outside the struct of 0x18 bytes" } },
	{ STRUCT, 32, 4, UINT32_MAX, { EBADMSG, "BTF type 5 'pair'", "is outside" } },
	{ STRUCT, 8, 4, 0, { EBADMSG, "BTF type 5 'pair'", "is outside" } },
	{ BITS, 32, 4, 29u << 24 | 4, { EBADMSG, "BTF type 6 'bits'", "is outside" } },
	{ BITS, 20, 4, 33u << 24, { EBADMSG, "BTF type 6 'bits'", "is outside" } },
	{ ENUM, 8, 4, 3, { EBADMSG, "BTF type 8 'color'", "3 bytes" } },
	{ ENUM64, 8, 4, 16, { EBADMSG, "BTF type 10 'wide'", "16 bytes" } },
	{ ENUM, 12, 4, 99999, { EBADMSG, "BTF type 8 'color': entry 0", "the name offset" } },
	{ RESTRICT, 8, 4, TYPEDEF, { EBADMSG, "BTF type 12 'alias'", "cycle" } },
	{ TYPEDEF, 8, 4, TYPEDEF, { EBADMSG, "BTF type 12 'alias'", "cycle" } },
	{ PROTO, 16, 4, 99, { EBADMSG, "BTF type 16 '': entry 0", "refers to type 99" } },
	{ FUNC, 8, 4, INT, { EBADMSG, "BTF type 17 'work'", "type 1, a int" } },
	{ FUNC, 4, 4, 12u << 24 | 3, { EBADMSG, "BTF type 17 'work'", "linkage 3" } },
	{ VAR, 12, 4, 3, { EBADMSG, "BTF type 18 'counter'", "linkage 3" } },
	{ DATASEC, 12, 4, 99, { EBADMSG, "BTF type 19 '.bss': entry 0", "refers to type 99" } },
	{ DATASEC, 12, 4, INT,
	  { EBADMSG, "BTF type 19 '.bss'", "entry 0 is type 1, a int, not a var" } },
	{ FLOAT, 8, 4, 3, { EBADMSG, "BTF type 20 'double'", "invalid float size: 3 bytes" } },
	/* Found by fuzzing: a struct that held a section grew with it when the object was read. */
	{ STRUCT, 28, 4, DATASEC,
	  { EBADMSG, "BTF type 5 'pair': entry 1", "type 19 is a datasec, which has no "
						   "values",
	    NULL } },
	{ ARRAY, 12, 4, DATASEC, { EBADMSG, "BTF type 4", "type 19 is a datasec" } },
	{ TYPEDEF, 8, 4, VAR, { EBADMSG, "BTF type 12 'alias'", "type 18 is a var" } },
	{ PTR, 8, 4, DECL_TAG, { EBADMSG, "BTF type 3", "type 21 is a decl_tag" } },
	{ DECL_TAG, 12, 4, 2, { EBADMSG, "BTF type 21 'mark'", "no component 2" } },
	{ DECL_TAG, 8, 4, INT, { EBADMSG, "BTF type 21 'mark'", "no component 1" } },
};

TEST_ROWS(one_field_broken, broken)
{
	const struct broken *row = &broken[_i];

	for (int big_endian = 0; big_endian < 2; big_endian++) {
		struct btf_builder b;
		struct error err = { 0 };
		struct buffer raw;
		struct btf btf;
		char name[64];

		sample(&b, big_endian);
		raw = bb_btf(&b);
		buffer_poke(&raw, (row->type ? bb_type_at(&b, row->type) : 0) + row->at, row->width,
			    row->value, big_endian);
		bb_free(&b);
		snprintf(name, sizeof(name), "type %u +%zu = %#x", row->type, row->at, row->value);
		expect_error(name, btf_parse(&btf, buffer_bytes(&raw), &err), &err, &row->e);
		ck_assert_ptr_null(btf.offsets);
		buffer_free(&raw);
	}
}

TEST_EACH(truncated_at_every_length, 2)
{
	struct btf_builder b;
	struct buffer raw;

	sample(&b, _i);
	raw = bb_btf(&b);
	bb_free(&b);
	for (size_t size = 0; size < raw.size; size++) {
		struct error err = { 0 };
		unsigned char *copy = malloc(size + !size);
		struct btf btf;

		memcpy(copy, raw.data, size);
		ck_assert_int_eq(
			btf_parse(&btf, (struct bytes){ .data = copy, .size = size }, &err),
			-EBADMSG);
		ck_assert_str_eq(err.where, "BTF header");
		free(copy);
	}
	buffer_free(&raw);
}

static int parse(struct btf_builder *b, struct error *err)
{
	struct buffer raw = bb_btf(b);
	struct btf btf;
	int ret = btf_parse(&btf, buffer_bytes(&raw), err);

	if (!ret)
		btf_free(&btf);
	buffer_free(&raw);
	bb_free(b);
	return ret;
}

TEST(a_longer_header_that_says_nothing_is_fine)
{
	struct btf_builder b;
	struct error err = { 0 };
	struct buffer raw, longer = { 0 };
	struct btf btf;

	sample(&b, false);
	raw = bb_btf(&b);
	buffer_add(&longer, raw.data, BTF_HEADER_PLAIN);
	buffer_add(&longer, NULL, 16);
	buffer_add(&longer, raw.data + BTF_HEADER_PLAIN, raw.size - BTF_HEADER_PLAIN);
	buffer_poke(&longer, offsetof(struct btf_header, hdr_len), 4, BTF_HEADER_PLAIN + 16, false);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&longer), &err), 0);
	ck_assert_str_eq(btf_type(&btf, STRUCT).name, "pair");
	btf_free(&btf);
	longer.data[BTF_HEADER_PLAIN + 15] = 1;
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&longer), &err), -ENOTSUP);
	buffer_free(&longer);
	buffer_free(&raw);
	bb_free(&b);
}

/* `enum e;` has no size, as clang writes it, or a valid one; an enum with enumerators has one. */
TEST_EACH(declared_enums, 2)
{
	const uint32_t kind = _i ? BTF_KIND_ENUM64 : BTF_KIND_ENUM;
	struct btf_builder b = { 0 };
	struct error err = { 0 };

	bb_enum(&b, kind, "e", 0, false);
	ck_assert_int_eq(parse(&b, &err), 0);
	b = (struct btf_builder){ 0 };
	bb_enum(&b, kind, "e", 0, false);
	bb_enumerator(&b, "ONE", 1);
	ck_assert_int_eq(parse(&b, &err), -EBADMSG);
	b = (struct btf_builder){ 0 };
	bb_enum(&b, kind, "e", 3, false);
	ck_assert_int_eq(parse(&b, &err), -EBADMSG);
}

TEST(no_types_at_all)
{
	struct btf_builder b = { 0 };
	struct error err = { 0 };

	ck_assert_int_eq(parse(&b, &err), 0);
}

/*
 * The kernel takes any number of modifiers in a row if it meets the last one first; 100000 must not
 * take 100000 squared steps.
 */
TEST_EACH(rows_of_modifiers, 8)
{
	static const uint32_t lengths[] = { 33, 256, 257, 100000 };
	const uint32_t length = lengths[_i / 2];
	const bool last_first = _i % 2;
	struct btf_builder b = { 0 };
	struct error err = { 0 };

	if (last_first)
		bb_int(&b, "int", 4, 0);
	for (uint32_t i = 0; i < length; i++)
		bb_ref(&b, BTF_KIND_CONST, "", last_first ? i + 1 : i + 2);
	if (!last_first)
		bb_int(&b, "int", 4, 0);
	ck_assert_int_eq(parse(&b, &err), length > 256 ? -EBADMSG : 0);
}

/*
 * A row of structs, unions or arrays, each all that the next one holds: from the outermost on, as
 * the recursion meets them, or from the innermost on, where it finds the inner ones done.
 */
TEST(nests)
{
	static const struct {
		uint32_t length, kind;
		bool innermost_first;
		int ret;
	} rows[] = {
		{ 250, BTF_KIND_STRUCT, false, 0 },	   { 250, BTF_KIND_STRUCT, true, 0 },
		{ 260, BTF_KIND_STRUCT, false, -EBADMSG }, { 260, BTF_KIND_STRUCT, true, -EBADMSG },
		{ 260, BTF_KIND_UNION, false, -EBADMSG },  { 260, BTF_KIND_UNION, true, -EBADMSG },
		{ 250, BTF_KIND_ARRAY, false, 0 },	   { 250, BTF_KIND_ARRAY, true, 0 },
		{ 260, BTF_KIND_ARRAY, false, -EBADMSG },  { 260, BTF_KIND_ARRAY, true, -EBADMSG },
		{ 100000, BTF_KIND_STRUCT, false, -EBADMSG },
		{ 100000, BTF_KIND_ARRAY, true, -EBADMSG },
	};

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		struct btf_builder b = { 0 };
		struct error err = { 0 };
		int ret;

		if (rows[row].innermost_first)
			bb_int(&b, "int", 4, 0);
		for (uint32_t i = 1; i <= rows[row].length; i++) {
			uint32_t inner = rows[row].innermost_first ? i : i + 1;

			if (rows[row].kind == BTF_KIND_ARRAY) {
				bb_array(&b, inner, inner, 1);
				continue;
			}
			bb_struct(&b, rows[row].kind, "s", 4, false);
			bb_member(&b, "m", inner, 0, 0);
		}
		bb_int(&b, "int", 4, 0);
		ret = parse(&b, &err);
		ck_assert_msg(ret == rows[row].ret, "row %zu: %d (%s: %s)", row, ret, err.where,
			      err.what);
	}
}

/* The tag of a function's argument counts the parameters of its prototype. */
TEST(tags_on_arguments)
{
	for (int32_t component = -1; component <= 1; component++) {
		struct btf_builder b = { 0 };
		struct error err = { 0 };

		bb_int(&b, "int", 4, 0);
		bb_proto(&b, 1);
		bb_param(&b, "x", 1);
		bb_func(&b, "f", 2, BTF_FUNC_GLOBAL);
		bb_decl_tag(&b, "arg", 3, component);
		ck_assert_int_eq(parse(&b, &err), component == 1 ? -EBADMSG : 0);
	}
}

/* Types at the very end, which break off within struct btf_type: the sanitizer watches. */
TEST(types_that_end_the_data)
{
	struct error err = { 0 };
	struct buffer raw = { 0 };
	struct bytes exact;
	struct btf btf;

	buffer_put(&raw, 2, BTF_MAGIC, false);
	buffer_put(&raw, 2, BTF_VERSION, false);
	buffer_put(&raw, 4, BTF_HEADER_PLAIN, false);
	buffer_put(&raw, 4, 4, false);	/* type_off */
	buffer_put(&raw, 4, 4, false);
	buffer_put(&raw, 4, 0, false);	/* str_off */
	buffer_put(&raw, 4, 1, false);
	buffer_add(&raw, NULL, 8);
	exact.size = raw.size;
	exact.data = memcpy(malloc(raw.size), raw.data, raw.size);
	ck_assert_int_eq(btf_parse(&btf, exact, &err), -EBADMSG);
	ck_assert_str_eq(err.where, "BTF type 1");
	free((void *)exact.data);
	buffer_free(&raw);
}

TEST_EACH(first_string_is_empty, 2)
{
	const struct expect e = { EBADMSG, "BTF header", "start and end with a zero", NULL };
	struct error err = { 0 };
	struct btf btf;
	struct buffer raw = open_sample(&btf, _i);

	raw.data[btf.strings.data - raw.data] = 'x';
	btf_free(&btf);
	expect_error("strings", btf_parse(&btf, buffer_bytes(&raw), &err), &err, &e);
	buffer_free(&raw);
}

/* Structs with the next one twice: 2^30 paths through them, and only 30 types. */
TEST(many_paths_through_few_types)
{
	struct btf_builder b = { 0 };
	struct error err = { 0 };

	for (uint32_t i = 0; i < 30; i++) {
		bb_struct(&b, BTF_KIND_UNION, "u", 4, false);
		bb_member(&b, "a", i + 2, 0, 0);
		bb_member(&b, "b", i + 2, 0, 0);
	}
	bb_int(&b, "int", 4, 0);
	ck_assert_int_eq(parse(&b, &err), 0);
}

TEST(sizes_that_overflow)
{
	struct btf_builder b = { 0 };
	struct error err = { 0 };
	struct buffer raw;
	struct btf btf;

	bb_int(&b, "long", 8, 0);
	bb_array(&b, 1, 1, UINT32_MAX);
	bb_array(&b, 2, 1, UINT32_MAX);
	bb_array(&b, 3, 1, UINT32_MAX);
	raw = bb_btf(&b);
	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), &err), 0);
	ck_assert_int_eq(btf_size(&btf, 2), INT64_C(8) * UINT32_MAX);
	ck_assert_int_eq(btf_size(&btf, 3), -EINVAL);
	ck_assert_int_eq(btf_size(&btf, 4), -EINVAL);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

/*
 * A bit field's type may be larger than the packed struct that it is in, and a flexible array ends
 * a struct.
 */
TEST(layouts_that_compilers_make)
{
	struct btf_builder b = { 0 };
	struct error err = { 0 };

	bb_int(&b, "long", 8, 0);
	bb_array(&b, 1, 1, 0);
	bb_struct(&b, BTF_KIND_STRUCT, "packed", 1, true);
	bb_member(&b, "bits", 1, 0, 3);
	bb_struct(&b, BTF_KIND_STRUCT, "flexible", 8, false);
	bb_member(&b, "len", 1, 0, 0);
	bb_member(&b, "data", 2, 64, 0);
	bb_struct(&b, BTF_KIND_STRUCT, "empty", 0, false);
	ck_assert_msg(parse(&b, &err) == 0, "%s: %s", err.where, err.what);
}

/* The BTF of the kernel that runs, with all that pahole puts in it. */
TEST(vmlinux)
{
	FILE *f = fopen("/sys/kernel/btf/vmlinux", "r");
	struct error err = { 0 };
	struct buffer raw = { 0 };
	struct btf btf;
	uint32_t id;
	size_t n;
	int ret;

	if (!f)
		suite_skip("this kernel has no /sys/kernel/btf/vmlinux");
	do {
		size_t at = buffer_add(&raw, NULL, 1 << 20);

		n = fread(raw.data + at, 1, 1 << 20, f);
		raw.size = at + n;
	} while (n);
	fclose(f);
	ret = btf_parse(&btf, buffer_bytes(&raw), &err);
	ck_assert_msg(ret == 0, "%s: %s", err.where, err.what);
	id = btf_find(&btf, BTF_KIND_STRUCT, "task_struct");
	ck_assert_uint_ne(id, 0);
	ck_assert_int_gt(btf_size(&btf, id), 1000);
	btf_free(&btf);
	buffer_free(&raw);
}

/* --- split BTF --- */

struct split {
	struct btf_builder base_builder, builder;
	struct buffer base_raw, raw;
	struct btf base, btf;
};

enum { B_INT = 1, B_PROTO, B_S, S_S, S_ALIAS, S_FUNC, S_ENUM, S_ARRAY, S_LAST };

static void split_begin(struct split *s)
{
	struct btf_builder *b = &s->base_builder;

	memset(s, 0, sizeof(*s));
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_proto(b, B_INT);
	bb_param(b, "arg", B_INT);
	bb_struct(b, BTF_KIND_STRUCT, "s", 4, false);
	bb_member(b, "x", B_INT, 0, 0);
	s->base_raw = bb_btf(b);
	bb_split(&s->builder, b);
	b = &s->builder;
	ck_assert_uint_eq(bb_struct(b, BTF_KIND_STRUCT, "of_module", 8, false), S_S);
	bb_member(b, "s", B_S, 0, 0);
	bb_member(b, "alias", S_ALIAS, 32, 0);
	bb_ref(b, BTF_KIND_TYPEDEF, "alias_t", B_INT);
	bb_func(b, "work", B_PROTO, BTF_FUNC_STATIC);
	bb_enum(b, BTF_KIND_ENUM, "e", 4, false);
	bb_enumerator(b, "E_ONE", 1);
	bb_array(b, S_S, B_INT, 3);
	s->raw = bb_btf(b);
}

static void split_index(struct split *s)
{
	struct error err = { 0 };

	ck_assert(!btf_index(&s->base, buffer_bytes(&s->base_raw), &err));
	ck_assert_msg(!btf_index_split(&s->btf, buffer_bytes(&s->raw), &s->base, &err), "%s: %s",
		      err.where, err.what);
}

static void split_end(struct split *s)
{
	btf_free(&s->btf);
	btf_free(&s->base);
	buffer_free(&s->raw);
	buffer_free(&s->base_raw);
	bb_free(&s->builder);
	bb_free(&s->base_builder);
}

/*
 * BTF that is only opened finds the types up to the one that is asked for, in any order, by id and by
 * offset; it has as many as indexed BTF. One that is not valid ends them.
 */
TEST_EACH(found_when_asked_for, 4)
{
	const bool backwards = _i & 1, by_offset = _i & 2;
	struct btf_builder b;
	struct error err = { 0 };
	struct buffer raw;
	struct btf btf, other;

	sample(&b, false);
	raw = bb_btf(&b);
	ck_assert(!btf_open(&btf, buffer_bytes(&raw), &err));
	ck_assert(!btf_index(&other, buffer_bytes(&raw), &err));
	ck_assert_uint_eq(btf.nr_types, 1);
	for (uint32_t n = 1; n < NR_TYPES; n++) {
		const uint32_t id = backwards ? NR_TYPES - n : n;
		const uint32_t at = btf_offset(&other, id);

		if (by_offset)
			ck_assert_uint_eq(btf_id_at(&btf, at), id);
		ck_assert(btf_has(&btf, id));
		ck_assert_uint_eq(btf_offset(&btf, id), at);
		ck_assert_uint_eq(btf_id_at(&btf, at), id);
		for (uint32_t in = 1; in < sizeof(struct btf_type); in++)
			ck_assert_uint_eq(btf_id_at(&btf, at + in), 0);
	}
	ck_assert(btf_has(&btf, 0) && !btf_has(&btf, NR_TYPES) && !btf_has(&btf, UINT32_MAX));
	ck_assert_uint_eq(btf_id_at(&btf, btf.types.size), 0);
	ck_assert_uint_eq(btf_nr_types(&btf), NR_TYPES);
	btf_free(&btf);
	btf_free(&other);

	/* The kind of the last type is unknown. */
	buffer_poke(&raw, bb_type_at(&b, NR_TYPES - 1) + offsetof(struct btf_type, info), 4,
		    0x1f000000, bb_big_endian(&b));
	ck_assert(!btf_open(&btf, buffer_bytes(&raw), &err));
	ck_assert(!btf_has(&btf, NR_TYPES - 1) && btf_has(&btf, NR_TYPES - 2));
	ck_assert_uint_eq(btf_nr_types(&btf), NR_TYPES - 1);
	btf_free(&btf);
	ck_assert_int_eq(btf_index(&btf, buffer_bytes(&raw), &err), -ENOTSUP);
	ck_assert(!btf.offsets && !btf.found);
	buffer_free(&raw);
	bb_free(&b);
}

static void add_many(struct btf_builder *b)
{
	for (int i = 0; i < 3 * BTF_STRIDE; i++) {
		bb_int(b, "int", 4, BTF_INT_SIGNED);
		bb_proto(b, B_INT);
		bb_param(b, "arg", B_INT);
		bb_func(b, "work", 2, i % 3);
		bb_enum(b, BTF_KIND_ENUM64, "e", 8, false);
		bb_enumerator(b, "E_ONE", 1);
		bb_newer(b, "newer", i % 4);
	}
}

/*
 * An index of BTF has the offset of each BTF_STRIDE-th record; the others are counted from there.
 */
TEST(offsets_between_those_kept)
{
	struct btf_builder builders[2] = { { .layouts = true } };
	struct error err = { 0 };
	struct buffer raw[2];
	struct btf btf[2];

	add_many(&builders[0]);
	raw[0] = bb_btf(&builders[0]);
	bb_split(&builders[1], &builders[0]);
	add_many(&builders[1]);
	raw[1] = bb_btf(&builders[1]);
	ck_assert(!btf_index(&btf[0], buffer_bytes(&raw[0]), &err));
	ck_assert(!btf_index_split(&btf[1], buffer_bytes(&raw[1]), &btf[0], &err));
	for (int i = 0; i < 2; i++) {
		const uint32_t first = i ? btf[1].first_id : 1;
		const size_t begin = bb_type_at(&builders[i], first);

		ck_assert_uint_eq(btf[i].nr_types - first, 5 * 3 * BTF_STRIDE);
		for (uint32_t id = first; id < btf[i].nr_types; id++) {
			const size_t at = btf_offset(&btf[i], id);

			ck_assert_uint_eq(begin + at, bb_type_at(&builders[i], id));
			ck_assert_uint_eq(btf_id_at(&btf[i], at), id);
		}
	}
	for (int i = 2; i-- > 0;) {
		btf_free(&btf[i]);
		buffer_free(&raw[i]);
		bb_free(&builders[i]);
	}
}

TEST(split_goes_on_where_its_base_ends)
{
	struct btf_type_view t;
	struct split s;

	split_begin(&s);
	split_index(&s);
	ck_assert_uint_eq(s.btf.first_id, S_S);
	ck_assert_uint_eq(s.btf.nr_types, S_LAST);
	t = btf_type(&s.btf, S_S);
	ck_assert_str_eq(t.name, "of_module");
	ck_assert_str_eq(btf_member(&s.btf, &t, 1).name, "alias");
	t = btf_type(&s.btf, btf_member(&s.btf, &t, 0).type);
	ck_assert_str_eq(t.name, "s");
	ck_assert_str_eq(btf_member(&s.btf, &t, 0).name, "x");
	t = btf_skip(&s.btf, S_ALIAS);
	ck_assert_uint_eq(t.id, B_INT);
	ck_assert_str_eq(t.name, "int");
	t = btf_type(&s.btf, btf_type(&s.btf, S_FUNC).type);
	ck_assert_uint_eq(t.kind, BTF_KIND_FUNC_PROTO);
	ck_assert_uint_eq(t.vlen, 1);
	t = btf_type(&s.btf, S_ENUM);
	ck_assert_str_eq(btf_enumerator(&s.btf, &t, 0).name, "E_ONE");
	ck_assert_int_eq(btf_size(&s.btf, S_ARRAY), 24);
	ck_assert_uint_eq(btf_find(&s.btf, BTF_KIND_FUNC, "work"), S_FUNC);
	ck_assert_uint_eq(btf_find(&s.btf, BTF_KIND_STRUCT, "s"), B_S);
	ck_assert_uint_eq(btf_type(&s.btf, 0).kind, BTF_KIND_UNKN);
	ck_assert_str_eq(btf_string(&s.btf, 0), "");
	ck_assert_ptr_null(btf_string(&s.btf, s.base.strings.size + s.btf.strings.size));
	split_end(&s);
}

TEST(split_without_anything)
{
	struct btf_builder b = { 0 };
	struct error err = { 0 };
	struct buffer raw;
	struct btf empty;
	struct split s;

	split_begin(&s);
	split_index(&s);
	bb_split(&b, &s.base_builder);
	raw = bb_btf(&b);
	ck_assert(!btf_index_split(&empty, buffer_bytes(&raw), &s.base, &err));
	ck_assert_uint_eq(empty.nr_types, S_S);
	ck_assert_str_eq(btf_type(&empty, B_INT).name, "int");
	btf_free(&empty);
	buffer_free(&raw);
	split_end(&s);
}

TEST(split_of_something_else)
{
	struct error err = { 0 };
	struct btf second;
	struct split s;

	split_begin(&s);
	split_index(&s);
	expect_error("split twice", btf_index_split(&second, buffer_bytes(&s.raw), &s.btf, &err),
		     &err,
		     &(struct expect){ EINVAL, NULL, "itself split", NULL });
	s.base.swap = true;
	expect_error("byte order", btf_index_split(&second, buffer_bytes(&s.raw), &s.base, &err),
		     &err,
		     &(struct expect){ EINVAL, "BTF header", "byte order", NULL });
	ck_assert_ptr_null(second.offsets);
	split_end(&s);
}

/* Each word replaced, and each length: an error, or types that can be looked at. */
TEST(split_broken)
{
	static const uint32_t evil[] = { 0, 3, 4, 9, 0x7fffffff, 0xffffffff, 0x04000002 };
	struct split s;

	split_begin(&s);
	split_index(&s);
	for (size_t at = 0; at + 4 <= s.raw.size; at += 2) {
		const uint32_t good = buffer_peek(&s.raw, at, 4, false);

		for (size_t i = 0; i < sizeof(evil) / sizeof(evil[0]); i++) {
			struct error err = { 0 };
			struct btf btf;

			buffer_poke(&s.raw, at, 4, evil[i], HOST_BIG_ENDIAN);
			if (btf_index_split(&btf, buffer_bytes(&s.raw), &s.base, &err))
				ck_assert(err.what[0] && !btf.offsets);
			for (uint32_t id = 0; id < btf.nr_types; id++) {
				struct btf_type_view t = btf_type(&btf, id);

				if (t.kind == BTF_KIND_STRUCT)
					for (uint32_t m = 0; m < t.vlen; m++)
						btf_member(&btf, &t, m);
			}
			btf_free(&btf);
			error_clear(&err);
		}
		buffer_poke(&s.raw, at, 4, good, HOST_BIG_ENDIAN);
	}
	for (size_t size = 0; size < s.raw.size; size++) {
		struct btf btf;

		ck_assert(btf_index_split(&btf, (struct bytes){ s.raw.data, size }, &s.base, NULL));
	}
	split_end(&s);
}
