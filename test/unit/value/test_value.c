// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Values: every kind of BTF, as JSON and as text; and hostile types, which end as hex. */
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

#define BYTES(...)                                                                                 \
	(const unsigned char[]){ __VA_ARGS__ }, sizeof((const unsigned char[]){ __VA_ARGS__ })
#define WORDS(...) \
	(const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ })

static struct types t;	/* of the test that runs */

static void begin(void)
{
	types_begin(&t);
}

static void end(void)
{
	types_end(&t);
}

TEST_FIXTURE(begin, end)

/* Begin anew, in a test that has several sets of types. */
static void again(void)
{
	end();
	begin();
}

static void expect_number(const char *name, uint32_t size, uint32_t encoding, uint64_t number,
			  const char *json)
{
	const char *at = (const char *)&number + (HOST_BIG_ENDIAN ? sizeof(number) - size : 0);
	struct btf_builder b = { 0 };
	uint32_t id = bb_int(&b, name, size, encoding);
	struct buffer raw = bb_btf(&b);
	struct error err = { 0 };
	struct btf btf;

	ck_assert_int_eq(btf_parse(&btf, buffer_bytes(&raw), &err), 0);
	expect_value(&btf, id, at, size, json, json);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

TEST(integers_are_exact)
{
	expect_number("u8", 1, 0, 0xff, "255");
	expect_number("s8", 1, BTF_INT_SIGNED, 0x80, "-128");
	expect_number("u16", 2, 0, 0xfffe, "65534");
	expect_number("s16", 2, BTF_INT_SIGNED, 0xfffe, "-2");
	expect_number("u32", 4, 0, 0xffffffff, "4294967295");
	expect_number("s32", 4, BTF_INT_SIGNED, 0xffffffff, "-1");
	expect_number("u64", 8, 0, UINT64_MAX, "18446744073709551615");
	expect_number("u64", 8, 0, (1ULL << 53) + 1, "9007199254740993");
	expect_number("u64", 8, 0, INT64_MAX, "9223372036854775807");
	expect_number("u64", 8, 0, INT64_MAX + 1ULL, "9223372036854775808");
	expect_number("s64", 8, BTF_INT_SIGNED, 1ULL << 63, "-9223372036854775808");
}

TEST(booleans_are_words_while_they_are_booleans)
{
	expect_number("_Bool", 1, BTF_INT_BOOL, 0, "false");
	expect_number("_Bool", 1, BTF_INT_BOOL, 1, "true");
	expect_number("_Bool", 1, BTF_INT_BOOL, 2, "2");
}

TEST(wide_integers_and_pointers_are_addresses)
{
	const unsigned __int128 wide = (unsigned __int128)0xaa << 64 | 0x1122334455667788;
	const uint64_t pointer = 0xffffffff81000000;
	uint32_t u128, ptr;

	u128 = bb_int(&t.b, "__int128", 16, 0);
	ptr = bb_ref(&t.b, BTF_KIND_PTR, "", 0);
	types_finish(&t);
	expect_value(&t.btf, u128, &wide, 16, "\"0x00000000000000aa1122334455667788\"",
		     "0x00000000000000aa1122334455667788");
	expect_value(&t.btf, ptr, &pointer, 8, "\"0xffffffff81000000\"", "0xffffffff81000000");
}

TEST(enums_are_their_names)
{
	uint32_t e, s, wide;

	e = bb_enum(&t.b, BTF_KIND_ENUM, "state", 4, false);
	bb_enumerator(&t.b, "IDLE", 0);
	bb_enumerator(&t.b, "BUSY", 0xffffffff);
	s = bb_enum(&t.b, BTF_KIND_ENUM, "", 1, true);
	bb_enumerator(&t.b, "MINUS", -1);
	wide = bb_enum(&t.b, BTF_KIND_ENUM64, "wide", 8, false);
	bb_enumerator(&t.b, "FAR", 1ULL << 40);
	types_finish(&t);
	expect_value(&t.btf, e, BYTES(0, 0, 0, 0), "\"IDLE\"", "IDLE");
	expect_value(&t.btf, e, BYTES(0xff, 0xff, 0xff, 0xff), "\"BUSY\"", "BUSY");
	expect_value(&t.btf, e, WORDS(7), "7", "7");
	expect_value(&t.btf, s, BYTES(0xff), "\"MINUS\"", "MINUS");
	expect_value(&t.btf, s, BYTES(0xfe), "-2", "-2");
	expect_value(&t.btf, wide, &(uint64_t){ 1ULL << 40 }, 8, "\"FAR\"", "FAR");
}

TEST(floats_are_numbers_while_json_has_them)
{
	const double d = -0.5, inf = -__builtin_inf(), nan = __builtin_nan("");
	const float f = 0.25f;
	uint32_t f32, f64, f80;

	f32 = bb_float(&t.b, "float", 4);
	f64 = bb_float(&t.b, "double", 8);
	f80 = bb_float(&t.b, "long double", 16);
	types_finish(&t);
	expect_value(&t.btf, f32, &f, 4, "0.25", "0.25");
	expect_value(&t.btf, f64, &d, 8, "-0.5", "-0.5");
	expect_value(&t.btf, f64, &inf, 8, "\"-inf\"", "-inf");
	expect_value(&t.btf, f64, &nan, 8, "\"nan\"", "nan");
	expect_value(&t.btf, f80, BYTES(1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9),
		     "\"01020304000000000000000000000009\"", "01020304 00000000 00000000 00000009");
}

TEST(structs_are_their_members)
{
	uint32_t inner, anonymous, outer, named, constant;

	inner = bb_struct(&t.b, BTF_KIND_STRUCT, "inner", 8, false);
	bb_member(&t.b, "a", t.u32, 0, 0);
	bb_member(&t.b, "b", t.s32, 32, 0);
	anonymous = bb_struct(&t.b, BTF_KIND_UNION, "", 4, false);
	bb_member(&t.b, "whole", t.u32, 0, 0);
	bb_member(&t.b, "first", t.u8, 0, 0);
	outer = bb_struct(&t.b, BTF_KIND_STRUCT, "", 16, false);
	bb_member(&t.b, "in", inner, 0, 0);
	bb_member(&t.b, "", anonymous, 64, 0);
	bb_member(&t.b, "last", t.u32, 96, 0);
	named = bb_ref(&t.b, BTF_KIND_TYPEDEF, "outer_t", outer);
	constant = bb_ref(&t.b, BTF_KIND_CONST, "", named);
	types_finish(&t);
	expect_value(&t.btf, constant, WORDS(1, -1, 0x02000002, 9),
		     "{\"in\":{\"a\":1,\"b\":-1},\"whole\":33554434,\"first\":2,\"last\":9}",
		     "{.in = {.a = 1, .b = -1}, .whole = 33554434, .first = 2, .last = 9}");
}

TEST(no_member_hides_behind_another)
{
	uint32_t id;

	id = bb_struct(&t.b, BTF_KIND_STRUCT, "twice", 3, true);
	bb_member(&t.b, "x", t.u8, 0, 0);
	bb_member(&t.b, "x", t.u8, 8, 0);
	bb_member(&t.b, "", t.u8, 20, 4);
	types_finish(&t);
	expect_value(&t.btf, id, BYTES(1, 2, 0x33), "{\"x\":1,\"x@1\":2,\"@2.4\":3}",
		     "{.x = 1, .x@1 = 2, .@2.4 = 3}");
}

TEST(bit_fields_are_taken_apart)
{
	/* Counted from the lowest bit of the first byte, or from its highest. */
	static const unsigned char little[16] = { 0x3d, 0x80, [8] = 0xff, 9 },
				   big[16] = { 0xed, 0xfc, [7] = 2, [9] = 9 };
	uint32_t id, e, old, plain;

	e = bb_enum(&t.b, BTF_KIND_ENUM, "two", 4, false);
	bb_enumerator(&t.b, "THREE", 3);
	id = bb_struct(&t.b, BTF_KIND_STRUCT, "bits", 16, true);
	bb_member(&t.b, "one", t.u32, 0, 1);
	bb_member(&t.b, "minus", t.s32, 1, 3);
	bb_member(&t.b, "e", e, 4, 2);
	bb_member(&t.b, "across", t.u64, 7, 64);
	bb_member(&t.b, "byte", t.u8, 72, 0);
	old = bb_int(&t.b, "unsigned int", 4, 0);
	plain = bb_struct(&t.b, BTF_KIND_STRUCT, "old", 4, false);
	bb_member(&t.b, "low", old, 0, 0);
	/* what pahole wrote before kind_flag: INT of 12 bits, 3 bits into its word */
	t.raw = bb_btf(&t.b);
	buffer_poke(&t.raw, bb_type_at(&t.b, old) + sizeof(struct btf_type), 4, 3 << 16 | 12,
		    HOST_BIG_ENDIAN);
	ck_assert_int_eq(btf_parse(&t.btf, buffer_bytes(&t.raw), NULL), 0);
	expect_value(&t.btf, id, HOST_BIG_ENDIAN ? big : little, 16,
		     "{\"one\":1,\"minus\":-2,\"e\":\"THREE\",\"across\":18302628885633696000,"
		     "\"byte\":9}",
		     NULL);
	expect_value(&t.btf, plain, HOST_BIG_ENDIAN ? "\x5f\x57\xff\xff" : "\x58\xfd\xff\xff", 4,
		     "{\"low\":4011}", NULL);
	/* Three of the four bytes have all of its bits. */
	expect_value(&t.btf, plain, HOST_BIG_ENDIAN ? "\x5f\x57\xff" : "\x58\xfd\xff", 3,
		     "{\"low\":4011}", NULL);
	expect_value(&t.btf, old, HOST_BIG_ENDIAN ? "\x1f\xfe\0\0" : "\xf8\x7f\0\0", 4, "4095", NULL);
}

TEST(arrays_are_lists)
{
	const uint32_t words[] = { 1, 2, 3, 4 }, many[] = { 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7 };
	uint32_t one, two, long_one, none;

	one = bb_array(&t.b, t.u32, t.u32, 2);
	two = bb_array(&t.b, one, t.u32, 2);
	long_one = bb_array(&t.b, t.u32, t.u32, 12);
	none = bb_array(&t.b, t.u32, t.u32, 0);
	types_finish(&t);
	expect_value(&t.btf, two, words, sizeof(words), "[[1,2],[3,4]]", "{{1, 2}, {3, 4}}");
	expect_value(&t.btf, long_one, many, sizeof(many), "[5,0,0,0,0,0,0,0,0,0,7,7]",
		     "{5, 0 <repeats 9 times>, 7, 7}");
	expect_value(&t.btf, none, words, 0, "[]", "{}");
}

TEST(many_bytes_are_hex)
{
	unsigned char bytes[33] = { 1, 2, 3 };
	uint32_t list, raw, chars, id;

	list = bb_array(&t.b, t.u8, t.u32, 3);
	raw = bb_array(&t.b, t.u8, t.u32, 33);
	chars = bb_array(&t.b, t.chr, t.u32, 33);
	id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 33, false);
	bb_member(&t.b, "raw", raw, 0, 0);
	bb_member(&t.b, "list", list, 0, 0);
	types_finish(&t);
	expect_value(
		&t.btf, id, bytes, sizeof(bytes),
		"{\"raw\":\"010203000000000000000000000000000000000000000000000000000000000000\","
		"\"list\":[1,2,3]}",
		"{.raw = 01020300 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
		"00, .list = {1, 2, 3}}");
	expect_value(&t.btf, chars, bytes, sizeof(bytes), "\"\\u0001\\u0002\\u0003\"",
		     "\"\\001\\002\\003\"");
	bytes[0] = 0;
	expect_value(&t.btf, chars, bytes, sizeof(bytes),
		     "\"000203000000000000000000000000000000000000000000000000000000000000\"",
		     NULL);
}

TEST(char_arrays_are_strings_while_they_are_text)
{
	uint32_t chars, bytes, lines;

	chars = bb_array(&t.b, t.chr, t.u32, 4);
	bytes = bb_array(&t.b, t.u8, t.u32, 4);
	lines = bb_array(&t.b, chars, t.u32, 2);
	types_finish(&t);
	expect_value(&t.btf, chars, "abc", 4, "\"abc\"", "\"abc\"");
	expect_value(&t.btf, chars, "abcd", 4, "\"abcd\"", "\"abcd\"");
	expect_value(&t.btf, chars, "a\0x", 4, "\"a\"", "\"a\"");
	expect_value(&t.btf, chars, "\0\0\0", 4, "\"\"", "\"\"");
	expect_value(&t.btf, chars, "\0\0x", 4, "[0,0,120,0]", "{0, 0, 120, 0}");
	expect_value(&t.btf, lines, "ab\0\0cd\0\0", 8, "[\"ab\",\"cd\"]", "{\"ab\", \"cd\"}");
	expect_value(&t.btf, bytes, "abc", 4, "[97,98,99,0]", "{97, 98, 99, 0}");
}

TEST(text_cannot_drive_a_terminal)
{
	static const struct {
		const char *comm, *text;
	} rows[] = {
		{ "\33[31m0\a", "\"\\033[31m0\\007\"" },
		{ "a\n\t\rb", "\"a\\n\\t\\rb\"" },
		{ "\"\\", "\"\\\"\\\\\"" },
		{ "\177", "\"\\177\"" },
		{ "\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\"" },
		{ "\xc2\x9b[m", "\"\\302\\233[m\"" }, /* CSI as one character */
		{ "\u202eabc", "\"\\342\\200\\256abc\"" }, /* right to left from here */
		{ "\xc2\x80\xc2\x9f\u00a0", "\"\\302\\200\\302\\237\u00a0\"" },
		{ "\u061b\u061c\u061d", "\"\u061b\\330\\234\u061d\"" },
		{ "\u200d\u200e\u200f\u2010",
		  "\"\u200d\\342\\200\\216\\342\\200\\217\u2010\"" },
		{ "\u2027\u2028\u202e\u202f", "\"\u2027\\342\\200\\250\\342\\200\\256\u202f\"" },
		{ "\u2065\u2066\u2069\u206a", "\"\u2065\\342\\201\\246\\342\\201\\251\u206a\"" },
		{ "\xff\xfe:", "\"\\377\\376:\"" },
		{ "\xc0\xaf", "\"\\300\\257\"" }, /* overlong */
		{ "\xe0\x80\xaf", "\"\\340\\200\\257\"" },
		{ "\xf0\x80\x80\xaf", "\"\\360\\200\\200\\257\"" },
		{ "\xed\xa0\x80", "\"\\355\\240\\200\"" }, /* a surrogate */
		{ "\xe2\x82", "\"\\342\\202\"" }, /* cut off, as comm can be */
		{ "\xf4\x90\x80\x80", "\"\\364\\220\\200\\200\"" }, /* above U+10FFFF */
	};
	char comm[16];
	uint32_t chars;

	chars = bb_array(&t.b, t.chr, t.u32, sizeof(comm));
	types_finish(&t);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(comm, 0, sizeof(comm));
		memcpy(comm, rows[i].comm, strlen(rows[i].comm));
		expect_value(&t.btf, chars, comm, sizeof(comm), NULL, rows[i].text);
	}
}

/* A text ends after its last byte, even if the byte after it would complete a character. */
TEST(text_ends_where_it_ends)
{
	static const char euro[] = "\u20ac";
	char *got = NULL;
	size_t size;
	FILE *file = open_memstream(&got, &size);

	text_print(file, euro, 2, 0);
	text_print(file, euro, 3, '\'');
	fclose(file);
	ck_assert_str_eq(got, "\\342\\202'\u20ac'");
	free(got);
}

TEST(what_has_no_type_is_hex)
{
	uint32_t fwd, proto, func, var;

	fwd = bb_fwd(&t.b, "hidden", false);
	proto = bb_proto(&t.b, 0);
	func = bb_func(&t.b, "f", proto, BTF_FUNC_STATIC);
	var = bb_var(&t.b, "v", t.u32, BTF_VAR_STATIC);
	types_finish(&t);
	expect_value(NULL, t.u32, BYTES(1, 2, 0xab), "\"0102ab\"", "0102ab");
	expect_value(&t.btf, 0, BYTES(1, 2, 3, 4, 5), "\"0102030405\"", "01020304 05");
	expect_value(&t.btf, 0xffffffff, BYTES(1), "\"01\"", "01");
	expect_value(&t.btf, t.u32, BYTES(1, 2, 3), "\"010203\"", "010203");
	expect_value(&t.btf, fwd, BYTES(1), "\"01\"", "01");
	expect_value(&t.btf, proto, BYTES(1), "\"01\"", "01");
	expect_value(&t.btf, func, BYTES(1), "\"01\"", "01");
	expect_value(&t.btf, 0, NULL, 0, "\"\"", "");
	expect_value(&t.btf, var, WORDS(513), "513", "513");
}

/* --- hostile types --- */

/* BTF that btf_parse() may have reasons of its own to refuse: then there is nothing to decode. */
static bool hostile_finish(void)
{
	t.raw = bb_btf(&t.b);
	return btf_parse(&t.btf, buffer_bytes(&t.raw), NULL) == 0;
}

/*
 * btf_parse() refuses members outside of their struct. The printer checks them all the same: here
 * the types change after they were parsed. @word is the index of a word of the last type, after its
 * struct btf_type.
 */
static void expect_changed_is_hex(uint32_t id, unsigned int word, uint32_t value)
{
	types_finish(&t);
	buffer_poke(&t.raw, bb_type_at(&t.b, id) + sizeof(struct btf_type) + 4 * word, 4, value,
		    HOST_BIG_ENDIAN);
	expect_value(&t.btf, id, BYTES(1, 2, 3, 4), "\"01020304\"", "01020304");
	again();
}

TEST(members_outside_their_struct_are_not_read)
{
	static const uint32_t offsets[] = { 1, 8, 32, 64, 0x00fffff8, 0xfffffff8 };
	uint32_t id;

	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 4, false);
		bb_member(&t.b, "x", t.u32, 0, 0);
		expect_changed_is_hex(id, 2, offsets[i]);
	}
}

TEST(bit_fields_outside_their_struct_are_not_read)
{
	static const uint32_t words[] = { 32 << 24 | 1, 1 << 24 | 32, 33 << 24,
					  65 << 24,	255 << 24,    1 << 24 | 0xffffff };
	uint32_t id;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 4, true);
		bb_member(&t.b, "x", t.u32, 0, 32);
		expect_changed_is_hex(id, 2, words[i]);
	}
}

TEST(a_bit_field_of_a_struct_is_hex)
{
	uint32_t inner, id;

	inner = bb_struct(&t.b, BTF_KIND_STRUCT, "inner", 4, false);
	bb_member(&t.b, "x", t.u32, 0, 0);
	id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 4, true);
	bb_member(&t.b, "x", inner, 0, 0);
	expect_changed_is_hex(id, 2, 7 << 24);
}

TEST(a_struct_inside_itself_is_hex)
{
	const uint32_t id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 4, false);

	bb_member(&t.b, "x", t.u32, 0, 0);
	expect_changed_is_hex(id, 1, id);
}

TEST(an_array_larger_than_its_bytes_is_hex)
{
	static const uint32_t nelems[] = { 5, 1U << 30, UINT32_MAX };
	uint32_t id;

	for (size_t i = 0; i < sizeof(nelems) / sizeof(nelems[0]); i++) {
		id = bb_array(&t.b, t.u8, t.u32, 4);
		expect_changed_is_hex(id, 2, nelems[i]);
	}
}

/* Structs in structs, @depth of them, each with a name for its member or none. */
static void expect_nested(const char *name, unsigned int depth, bool decoded)
{
	uint32_t id = t.u32;

	for (unsigned int i = 0; i < depth; i++) {
		uint32_t outer = bb_struct(&t.b, BTF_KIND_STRUCT, "", 4, false);

		bb_member(&t.b, i ? name : "x", id, 0, 0);
		id = outer;
	}
	if (hostile_finish()) {
		struct json_object *value = value_decode(
			&t.btf, id, (struct bytes){ (const unsigned char *)"\1\0\0", 4 });

		ck_assert_int_eq(json_object_is_type(value, json_type_object), decoded);
		json_object_put(value);
	} else {
		ck_assert(!decoded);
	}
	again();
}

TEST(depth_is_bounded)
{
	expect_nested("x", 20, true);
	expect_nested("", 20, true);
	expect_nested("x", 200, false);
	expect_nested("", 200, false);
}

/*
 * Each struct has the one before it many times over at one place: 30 bytes of types, 10^18 members.
 */
TEST(overlapping_members_do_not_multiply)
{
	static const char *const names[] = { "x", "" };
	uint32_t id;

	for (int n = 0; n < 2; n++) {
		id = t.u32;
		for (int i = 0; i < 9; i++) {
			uint32_t outer = bb_struct(&t.b, BTF_KIND_STRUCT, "", 4, false);

			for (int m = 0; m < 100; m++)
				bb_member(&t.b, names[n], id, 0, 0);
			id = outer;
		}
		if (hostile_finish())
			expect_value(&t.btf, id, BYTES(1, 2, 3, 4), "\"01020304\"", "01020304");
		again();
	}
}

TEST(overlapping_strings_do_not_multiply)
{
	enum { SIZE = 1 << 20 };
	char *text = malloc(SIZE), name[16];
	struct json_object *value;
	uint32_t chars, id;

	memset(text, 'a', SIZE);
	chars = bb_array(&t.b, t.chr, t.u32, SIZE);
	id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", SIZE, false);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		bb_member(&t.b, name, chars, 0, 0);
	}
	if (hostile_finish()) {
		value = value_decode(&t.btf, id, (struct bytes){ (unsigned char *)text, SIZE });
		ck_assert_int_eq(json_object_get_string_len(value), 2 * SIZE);
		json_object_put(value);
	}
	free(text);
}

TEST(long_arrays_are_hex)
{
	static const uint32_t nelems[] = { UINT32_MAX, 70000 };
	unsigned char *zeroes = calloc(4, 70000);
	struct json_object *value;
	uint32_t empty, of_empty, of_words;

	for (int i = 0; i < 2; i++) {
		empty = bb_struct(&t.b, BTF_KIND_STRUCT, "empty", 0, false);
		of_empty = bb_array(&t.b, empty, t.u32, nelems[i]);
		of_words = bb_array(&t.b, t.u32, t.u32, 70000);
		if (hostile_finish()) {
			expect_value(&t.btf, of_empty, NULL, 0, "\"\"", "");
			value = value_decode(&t.btf, of_words, (struct bytes){ zeroes, 280000 });
			ck_assert_int_eq(json_object_get_string_len(value), 560000);
			json_object_put(value);
		}
		again();
	}
	free(zeroes);
}

static uint32_t below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % limit;
}

/* A member of any of the types so far, anywhere in @outer bytes: mostly over another one. */
static void random_member(struct btf_builder *b, uint32_t *seed, const uint32_t *sizes,
			  uint32_t nr_ids, uint32_t outer)
{
	uint32_t id = 1 + below(seed, nr_ids), at = below(seed, 65), bits = below(seed, 9);
	const char *name = below(seed, 2) ? "m" : "";

	if (sizes[id] > outer || at > outer - sizes[id])
		return;
	if (id > 5 || !bits)	/* the first five are integers */
		bb_member(b, name, id, 8 * at, 0);
	else
		bb_member(b, name, id, 8 * at + below(seed, 9 - bits), bits);
}

static void random_types(uint32_t *seed, uint32_t nr)
{
	uint32_t sizes[64] = { 0, 1, 4, 8, 4, 1 };

	for (uint32_t id = 6; id < nr; id++) {
		uint32_t of = 1 + below(seed, id - 1), kind = below(seed, 4), n = below(seed, 9);

		if (kind == 0) {
			sizes[id] = n * sizes[of];
			bb_array(&t.b, of, t.u32, n);
		} else if (kind == 1) {
			sizes[id] = sizes[of];
			bb_ref(&t.b, BTF_KIND_CONST, "", of);
		} else {
			sizes[id] = below(seed, 65);
			bb_struct(&t.b, kind == 2 ? BTF_KIND_STRUCT : BTF_KIND_UNION, "",
				  sizes[id], true);
			while (n-- > 0)
				random_member(&t.b, seed, sizes, id - 1, sizes[id]);
		}
	}
}

/* The sanitizers look on, and the bytes are in memory of just their size. */
TEST_EACH(random_types_stay_inside_their_bytes, 200)
{
	uint32_t seed = _i + 1;
	unsigned char *bytes;

	random_types(&seed, 30);
	if (hostile_finish()) {
		for (uint32_t size = 0; size <= 64; size += 8) {
			bytes = malloc(size ? size : 1);
			for (uint32_t i = 0; i < size; i++)
				bytes[i] = below(&seed, 256);
			for (uint32_t id = 1; id < 30; id++)
				expect_value(&t.btf, id, bytes, size, NULL, NULL);
			free(bytes);
		}
	}
}
