// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Variables that --set gives a value: by type, by path, in their range, in either byte order. */
#include <errno.h>

#include "test/unit/common/expect.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

#define SIZE 256

struct vars {
	struct sample s;
	uint32_t section, offset;	/* of the next variable */
	uint32_t ids[32], offsets[32], sizes[32], nr;
};

static uint32_t add(struct vars *v, const char *name, uint32_t type, uint32_t size)
{
	v->ids[v->nr] = bb_var(&v->s.btf, name, type, BTF_VAR_STATIC);
	v->offsets[v->nr] = v->offset;
	v->sizes[v->nr++] = size;
	v->offset += size;
	return v->offset - size;
}

/*
 *	0 u8	1 s8	2 flag	3 c	4 s16	6 u16	8 s32	12 colour	16 u64	24 big
 *	32 text[8]	40 grid[2][3] of s16	52 state	68 p	76 f	...
 */
static void build(struct vars *v, bool foreign)
{
	struct btf_builder *b = &v->s.btf;
	uint32_t s16, character, in, in_anonymous, state, colour, big;

	memset(v, 0, sizeof(*v));
	sample_build(&v->s, foreign, false);
	add(v, "u8", bb_int(b, "unsigned char", 1, 0), 1);
	add(v, "s8", bb_int(b, "signed char", 1, BTF_INT_SIGNED), 1);
	add(v, "flag", bb_int(b, "_Bool", 1, BTF_INT_BOOL), 1);
	character = bb_int(b, "char", 1, BTF_INT_SIGNED);
	add(v, "c", bb_ref(b, BTF_KIND_CONST, "", character), 1);
	s16 = bb_int(b, "short", 2, BTF_INT_SIGNED);
	add(v, "s16", s16, 2);
	add(v, "u16", bb_int(b, "unsigned short", 2, 0), 2);
	add(v, "s32", bb_ref(b, BTF_KIND_TYPEDEF, "s32_t", v->s.type_int), 4);
	colour = bb_enum(b, BTF_KIND_ENUM, "colour", 4, true);
	bb_enumerator(b, "RED", 1);
	bb_enumerator(b, "NONE", (uint32_t)-1);
	add(v, "colour", colour, 4);
	add(v, "u64", bb_int(b, "unsigned long", 8, 0), 8);
	big = bb_enum(b, BTF_KIND_ENUM64, "big", 8, false);
	bb_enumerator(b, "HUGE", 0x123456789aULL);
	add(v, "big", big, 8);
	add(v, "text", bb_array(b, character, v->s.type_int, 8), 8);
	add(v, "grid", bb_array(b, bb_array(b, s16, v->s.type_int, 3), v->s.type_int, 2), 12);
	in_anonymous = bb_struct(b, BTF_KIND_UNION, "", 4, false);
	bb_member(b, "hidden", v->s.type_int, 0, 0);
	in = bb_struct(b, BTF_KIND_STRUCT, "in", 8, false);
	bb_member(b, "first", v->s.type_int, 0, 0);
	bb_member(b, "", in_anonymous, 32, 0);
	state = bb_struct(b, BTF_KIND_STRUCT, "state", 16, true);
	bb_member(b, "bits", v->s.type_int, 0, 3);
	bb_member(b, "in", in, 64, 0);
	add(v, "state", state, 16);
	add(v, "p", bb_ref(b, BTF_KIND_PTR, "", v->s.type_int), 8);
	add(v, "f", bb_float(b, "double", 8), 8);
	add(v, "wide", bb_int(b, "__int128", 16, 0), 16);
	add(v, "func.count", v->s.type_int, 4);
	add(v, "cut", v->s.type_int, 2);
	add(v, "twice", v->s.type_int, 4);
	add(v, "twice", v->s.type_int, 4);
	add(v, "func", v->s.type_int, 4);
	add(v, "flags", bb_array(b, bb_int(b, "bool", 1, BTF_INT_BOOL), v->s.type_int, 2), 2);
	add(v, "stub", state, 2);
	v->offset = 132;
	add(v, "either", in_anonymous, 4);
	ck_assert_uint_le(v->offset, SIZE);
	v->section = eb_data(&v->s.elf, ".data.set", NULL, SIZE);
	bb_datasec(b, ".data.set", SIZE);
	for (uint32_t i = 0; i < v->nr; i++)
		bb_datasec_var(b, v->ids[i], v->offsets[i], v->sizes[i]);
}

static void parse(struct vars *v)
{
	struct error err = { 0 };

	ck_assert_msg(!sample_parse(&v->s, &err), "%s: %s", err.where, err.what);
}

static const struct object_map *map(const struct vars *v)
{
	for (uint32_t i = 0; i < v->s.obj.nr_maps; i++)
		if (!strcmp(v->s.obj.maps[i].name, ".data.set"))
			return &v->s.obj.maps[i];
	ck_abort_msg("no map of .data.set");
}

static const struct {
	const char *path, *text;
	uint32_t offset, size;
	uint64_t value;
} good[] = {
	{ "u8", "255", 0, 1, 255 },
	{ "u8", "0x7f", 0, 1, 127 },
	{ "u8", "'A'", 0, 1, 'A' },
	{ "s8", "-128", 1, 1, 0x80 },
	{ "s8", "127", 1, 1, 127 },
	{ "flag", "true", 2, 1, 1 },
	{ "flag", "1", 2, 1, 1 },
	{ "c", "'x'", 3, 1, 'x' },
	{ "s16", "-2", 4, 2, 0xfffe },
	{ "u16", "65535", 6, 2, 0xffff },
	{ "s32", "-2147483648", 8, 4, 0x80000000 },
	{ "colour", "NONE", 12, 4, 0xffffffff },
	{ "colour", "-5", 12, 4, 0xfffffffb },
	{ "u64", "18446744073709551615", 16, 8, UINT64_MAX },
	{ "big", "HUGE", 24, 8, 0x123456789aULL },
	{ "grid[1][2]", "7", 40 + 10, 2, 7 },
	{ "text[1]", "66", 33, 1, 66 },
	{ "state.in.first", "9", 52 + 8, 4, 9 },
	{ "state.in.hidden", "9", 52 + 12, 4, 9 },
	{ "func.count", "3", 100, 4, 3 },
	{ "flag", "false", 2, 1, 0 },
	{ "flag", "0", 2, 1, 0 },
	{ "flags[1]", "true", 119, 1, 1 },
	{ "either.hidden", "-1", 132, 4, 0xffffffff },
};

TEST_EACH(values_are_set, 2 * NR(good))
{
	const int i = _i / 2;
	const bool foreign = _i % 2, big = foreign != HOST_BIG_ENDIAN;
	struct error err = { 0 };
	struct vars v;
	struct buffer got = { 0 };

	build(&v, foreign);
	parse(&v);
	ck_assert_ptr_null(map(&v)->content);
	ck_assert_msg(!object_set_variable(&v.s.obj, good[i].path, good[i].text, &err), "%s: %s",
		      good[i].path, err.what);
	buffer_add(&got, map(&v)->content, SIZE);
	ck_assert_uint_eq(buffer_peek(&got, good[i].offset, good[i].size, big), good[i].value);
	memset(got.data + good[i].offset, 0, good[i].size);
	for (int n = 0; n < SIZE; n++)
		ck_assert_msg(!got.data[n], "%s: byte %d changed too", good[i].path, n);
	buffer_free(&got);
	sample_free(&v.s);
}

TEST(strings_end)
{
	struct error err = { 0 };
	struct vars v;

	build(&v, false);
	parse(&v);
	ck_assert_int_eq(object_set_variable(&v.s.obj, "text", "1234567", &err), 0);
	ck_assert_int_eq(object_set_variable(&v.s.obj, "text", "abc", &err), 0);
	ck_assert_mem_eq(map(&v)->content + 32, "abc\0\0\0\0", 8);
	sample_free(&v.s);
}

static const struct {
	const char *path, *text;
	struct expect expect;
} bad[] = {
	{ "u8", "256", { ERANGE, NULL, "from 0 to 255", NULL } },
	{ "u8", "-1", { ERANGE, NULL, "from 0 to 255", NULL } },
	{ "s8", "128", { ERANGE, NULL, "from -128 to 127", NULL } },
	{ "s8", "-129", { ERANGE, NULL, "from -128 to 127", NULL } },
	{ "u64", "18446744073709551616", { ERANGE, NULL, "to 18446744073709551615", NULL } },
	{ "u64", "", { EINVAL, NULL, "not a number", NULL } },
	{ "u64", "1x", { EINVAL, NULL, "not a number", NULL } },
	{ "u64", "- 1", { EINVAL, NULL, "not a number", NULL } },
	{ "u8", "'", { EINVAL, NULL, "not a number", NULL } },
	{ "u8", "'a", { EINVAL, NULL, "not a number", NULL } },
	{ "u8", "'ab", { EINVAL, NULL, "not a number", NULL } },
	{ "u8", "'a'b", { EINVAL, NULL, "not a number", NULL } },
	{ "flag", "2", { EINVAL, NULL, "'2' is not true or false", "_Bool" } },
	{ "colour", "REED", { EINVAL, NULL, "enum colour has no constant", "'RED'" } },
	{ "text", "12345678", { ERANGE, NULL, "\"12345678\" is 8 characters long, but there is room for only", NULL } },
	{ "grid", "1", { EINVAL, NULL, "array of 2 elements", "grid[0]=1" } },
	{ "grid[2]", "1", { ERANGE, NULL, "'grid' has 2", NULL } },
	{ "grid[-1]", "1", { EINVAL, NULL, "not an index", NULL } },
	{ "grid[0", "1", { EINVAL, NULL, "not an index", NULL } },
	{ "grid[99999999999999999999]", "1", { EINVAL, NULL, "not an index", NULL } },
	{ "grid[0][1]x", "1", { EINVAL, NULL, "'x' is not a member or element", NULL } },
	{ "state", "1", { EINVAL, NULL, "a struct", "state.MEMBER" } },
	{ "flags", "1", { EINVAL, NULL, "array of 2 elements", "flags[0]=1" } },
	{ "grid[0]", "1", { EINVAL, NULL, "array of 3 elements", "grid[0][0]=1" } },
	{ "either", "1", { EINVAL, NULL, "a union", "either.MEMBER" } },
	{ "stub.in", "1", { EBADMSG, NULL, "it is outside its variable", NULL } },
	{ "state.in.third", "1", { ENOENT, NULL, "no member 'third'", "'first'" } },
	{ "state.in.fist", "1", { ENOENT, NULL, "no member 'fist'", "'first'" } },
	{ "state.in.", "1", { ENOENT, NULL, "no member ''", NULL } },
	{ "state.in..hidden", "1", { ENOENT, NULL, "no member ''", NULL } },
	{ "state.bits", "1", { ENOTSUP, NULL, "bit field", NULL } },
	{ "s32.x", "1", { EINVAL, NULL, "no members", NULL } },
	{ "s32[0]", "1", { EINVAL, NULL, "no elements", NULL } },
	{ "p", "1", { ENOTSUP, NULL, "pointer", "themselves" } },
	{ "f", "1", { ENOTSUP, NULL, "kind float", NULL } },
	{ "wide", "1", { ENOTSUP, NULL, "it is a 16-byte number", NULL } },
	{ "s33", "1", { ENOENT, NULL, "no variable 's33'", "'s32'" } },
	{ "", "1", { ENOENT, NULL, "no variable ''", NULL } },
	{ "cut", "1", { EBADMSG, NULL, "it is outside its variable", NULL } },
	{ "twice", "1", { EEXIST, NULL, "several variables are named 'twice'", "different" } },
};

TEST_ROWS(values_are_refused, bad)
{
	struct error err = { 0 };
	struct vars v;

	build(&v, false);
	parse(&v);
	expect_error(bad[_i].path, object_set_variable(&v.s.obj, bad[_i].path, bad[_i].text, &err),
		     &err, &bad[_i].expect);
	sample_free(&v.s);
}

/* Without BTF only the size of a variable is known, from its symbol. */
TEST(by_symbol)
{
	const struct expect parts = { ENOENT, NULL, "'value' has no BTF, so its parts have no names", NULL };
	const struct expect odd = { ENOTSUP, NULL, "it has 3 bytes", "-g" };
	struct error err = { 0 };
	struct sample s;

	sample_build(&s, false, false);
	s.btf.nr_types = 0;
	eb_symbol(&s.elf, "odd", s.data, 0, 3, STB_GLOBAL, STT_OBJECT);
	eb_symbol(&s.elf, "untyped", s.data, 4, 4, STB_GLOBAL, STT_NOTYPE);
	ck_assert_msg(!sample_parse(&s, &err), "%s: %s", err.where, err.what);
	ck_assert_int_eq(object_set_variable(&s.obj, "fixed", "-2", &err), 0);
	ck_assert_int_eq(object_set_variable(&s.obj, "value", "4294967295", &err), 0);
	for (uint32_t i = 0; i < s.obj.nr_maps; i++)
		if (s.obj.maps[i].kind == OBJECT_MAP_DATA)
			ck_assert_mem_eq(s.obj.maps[i].content, ((uint32_t[]){ -1, -2 }), 8);
	ck_assert_int_eq(object_set_variable(&s.obj, "untyped", "5", &err), 0);
	ck_assert_int_eq(object_set_variable(&s.obj, "value", "4294967296", &err), -ERANGE);
	ck_assert_int_lt(object_set_variable(&s.obj, "valu", "1", NULL), 0);
	expect_error("odd", object_set_variable(&s.obj, "odd", "1", &err), &err, &odd);
	expect_error("a part", object_set_variable(&s.obj, "value.x", "1", &err), &err, &parts);
	sample_free(&s);
}

/* A struct that holds itself without a name would be searched for ever: its BTF is left out. */
TEST(struct_in_itself)
{
	const struct expect expect = { ENOENT, NULL, "no variable 'self.x'", NULL };
	struct error err = { 0 };
	struct sample s;
	uint32_t self, var;

	sample_build(&s, false, false);
	self = bb_struct(&s.btf, BTF_KIND_STRUCT, "self", 8, false);
	for (int i = 0; i < 40; i++)
		bb_member(&s.btf, "", self, 0, 0);
	var = bb_var(&s.btf, "self", self, BTF_VAR_GLOBAL_ALLOCATED);
	eb_data(&s.elf, ".data.self", NULL, 8);
	bb_datasec(&s.btf, ".data.self", 8);
	bb_datasec_var(&s.btf, var, 0, 8);
	/* The kernel refuses such BTF; the object is read without it. */
	ck_assert_msg(!sample_parse(&s, &err), "%s: %s", err.where, err.what);
	expect_error("in itself", object_set_variable(&s.obj, "self.x", "1", &err), &err,
		     &expect);
	sample_free(&s);
}
