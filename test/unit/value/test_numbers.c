// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers of keys and values: which types have one, how it is read, sorted, and chosen of a row. */
#include "loader/sessions/rows/map_rows.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

TEST(numbers_are_read_and_sorted)
{
	static const struct {
		struct number_type type;
		unsigned char bytes[8];
		uint64_t little, big;
	} rows[] = {
		{ { 1, false }, { 0xfe, 1 }, 0xfe, 0xfe },
		{ { 1, true }, { 0xfe, 1 }, -2, -2 },
		{ { 2, false }, { 0xfe, 0xff }, 0xfffe, 0xfeff },
		{ { 2, true }, { 0xfe, 0xff }, -2, (uint64_t)(int16_t)0xfeff },
		{ { 4, false }, { 0xfe, 0xff, 0xff, 0xff, 1 }, 0xfffffffe, 0xfeffffff },
		{ { 4, true }, { 0xfe, 0xff, 0xff, 0xff, 1 }, -2, (uint64_t)(int32_t)0xfeffffff },
		{ { 8, false }, { 1, 0, 0, 0, 2 }, 0x200000001, 0x0100000002000000 },
		{ { 0, false }, { 1 }, 0, 0 },
		{ { 3, false }, { 1 }, 0, 0 },
	};
	const bool is_big = (const union { uint16_t n; uint8_t b; }){ 1 }.b == 0;

	for (int i = 0; i < NR(rows); i++)
		ck_assert_uint_eq(number_read(rows[i].type, rows[i].bytes),
				  is_big ? rows[i].big : rows[i].little);
	ck_assert_uint_lt(number_rank((struct number_type){ 4, true }, -1),
			  number_rank((struct number_type){ 4, true }, 0));
	ck_assert_uint_gt(number_rank((struct number_type){ 8, false }, -1),
			  number_rank((struct number_type){ 8, false }, 0));
}

TEST(types_that_have_a_number)
{
	struct types t;
	uint32_t id[16], n = 0, inner;

	types_begin(&t);
	id[n++] = t.u8;					/* 0 */
	id[n++] = t.s32;
	id[n++] = bb_int(&t.b, "__int128", 16, 0);	/* 2: too large */
	id[n++] = bb_float(&t.b, "float", 4);		/* 3: no integer */
	inner = bb_struct(&t.b, BTF_KIND_STRUCT, "inner", 8, false);
	bb_member(&t.b, "n", t.u64, 0, 0);
	id[n++] = inner;				/* 4 */
	id[n++] = bb_struct(&t.b, BTF_KIND_STRUCT, "outer", 16, false);	/* 5 */
	bb_member(&t.b, "in", inner, 0, 0);
	bb_member(&t.b, "x", t.u8, 64, 0);
	id[n++] = bb_struct(&t.b, BTF_KIND_STRUCT, "late", 8, false);	/* 6 */
	bb_member(&t.b, "n", t.u32, 32, 0);
	id[n++] = bb_struct(&t.b, BTF_KIND_STRUCT, "bits", 4, true);	/* 7 */
	bb_member(&t.b, "n", t.u32, 0, 3);
	id[n++] = bb_struct(&t.b, BTF_KIND_STRUCT, "empty", 0, false);	/* 8 */
	id[n++] = bb_struct(&t.b, BTF_KIND_UNION, "one", 4, false);	/* 9 */
	bb_member(&t.b, "n", t.u32, 0, 0);
	types_finish(&t);
	for (uint32_t i = 0; i < n; i++) {
		static const struct number_type types[] = {
			{ 1, false }, { 4, true }, { 0 }, { 0 }, { 8, false }, { 8, false },
		};
		const struct number_type want = i < NR(types) ? types[i] : types[2];
		const struct number_type is = number_type_of(&t.btf, id[i]);

		ck_assert_msg(is.size == want.size && is.is_signed == want.is_signed, "%u: %u", i,
			      is.size);
	}
	ck_assert_uint_eq(number_type_of(NULL, 1).size, 0);
	ck_assert_uint_eq(number_type_of(&t.btf, 0).size, 0);
	ck_assert_uint_eq(number_type_of(&t.btf, t.btf.nr_types).size, 0);
	types_end(&t);
}

/* Members by name, offset in bits, and bits of a bit-field; u32, but "b" is a byte and "l" a long. */
TEST(the_count_of_a_row)
{
	static const struct {
		struct {
			const char *name;
			uint32_t offset, bits;
		} member[4];
		const char *count;
		uint32_t offset, size;
	} rows[] = {
		{ { { "x", 0, 0 }, { "y", 32, 0 } }, "x", 0, 4 },
		{ { { "x", 0, 0 }, { "count", 32, 0 } }, "count", 4, 4 },
		{ { { "count", 0, 0 }, { "x", 32, 0 } }, "count", 0, 4 },
		{ { { "hits", 0, 0 }, { "count", 32, 0 }, { "n", 64, 0 } }, "count", 4, 4 },
		{ { { "samples", 0, 0 }, { "nr_samples", 32, 0 } }, "samples", 0, 4 },
		{ { { "b", 0, 0 }, { "x", 32, 0 } }, "x", 4, 4 },
		{ { { "b", 0, 0 }, { "l", 64, 0 }, { "x", 128, 0 } }, "l", 8, 8 },
		{ { { "x", 0, 3 }, { "y", 32, 0 } }, "y", 4, 4 },
		{ { { "b", 0, 0 } }, "", 0, 0 },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct row_count found;
		struct types t;
		uint32_t id;

		types_begin(&t);
		id = bb_struct(&t.b, BTF_KIND_STRUCT, "s", 32, rows[i].member[0].bits);
		for (int k = 0; k < 4 && rows[i].member[k].name; k++)
			bb_member(&t.b, rows[i].member[k].name,
				  rows[i].member[k].name[0] == 'b' ? t.u8 :
				  rows[i].member[k].name[0] == 'l' ? t.u64 : t.u32,
				  rows[i].member[k].offset, rows[i].member[k].bits);
		types_finish(&t);
		found = row_count_find(&t.btf, id);
		ck_assert_str_eq(found.name, rows[i].count);
		ck_assert_uint_eq(found.offset, rows[i].offset);
		ck_assert_uint_eq(found.number.size, rows[i].size);
		found = row_count_find(&t.btf, t.u64);	/* the whole value */
		ck_assert(!found.name[0] && !found.offset && found.number.size == 8);
		ck_assert_uint_eq(row_count_find(NULL, id).number.size, 0);
		ck_assert_uint_eq(row_count_find(&t.btf, 0).number.size, 0);
		ck_assert_uint_eq(row_count_find(&t.btf, t.btf.nr_types).number.size, 0);
		types_end(&t);
	}
}
