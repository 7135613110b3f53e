// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Views of bytes: bounds that cannot overflow, numbers of both byte orders, strings that end. */
#include "elf/bytes.h"
#include "test/unit/common/suite.h"

TEST(bounds)
{
	ck_assert(bytes_hold(8, 0, 8));
	ck_assert(bytes_hold(8, 8, 0));
	ck_assert(bytes_hold(0, 0, 0));
	ck_assert(!bytes_hold(8, 1, 8));
	ck_assert(!bytes_hold(8, 9, 0));
	ck_assert(!bytes_hold(8, UINT64_MAX, 2));
	ck_assert(!bytes_hold(8, 2, UINT64_MAX));
	ck_assert(!bytes_hold(UINT64_MAX, UINT64_MAX, 1));
	ck_assert(bytes_hold(UINT64_MAX, 0, UINT64_MAX));
}

TEST(numbers)
{
	static const unsigned char data[] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct bytes b = { .data = data, .size = sizeof(data) };
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	ck_assert_uint_eq(bytes_u8(b, 8), 8);
	ck_assert_uint_eq(bytes_u16(b, 1, !little), 0x0201);
	ck_assert_uint_eq(bytes_u16(b, 1, little), 0x0102);
	ck_assert_uint_eq(bytes_u32(b, 1, !little), 0x04030201);
	ck_assert_uint_eq(bytes_u32(b, 1, little), 0x01020304);
	ck_assert(bytes_u64(b, 1, !little) == UINT64_C(0x0807060504030201));
	ck_assert(bytes_u64(b, 1, little) == UINT64_C(0x0102030405060708));
}

TEST(slices)
{
	static const unsigned char data[] = { 1, 2, 3 };
	const struct bytes b = { .data = data, .size = sizeof(data) }, none = { 0 };

	ck_assert_ptr_eq(bytes_slice(b, 1, 2).data, data + 1);
	ck_assert_uint_eq(bytes_slice(b, 1, 2).size, 2);
	ck_assert_uint_eq(bytes_slice(b, 3, 0).size, 0);
	ck_assert_ptr_null(bytes_slice(none, 0, 0).data);
}

TEST(strings)
{
	static const unsigned char data[] = { 0, 'a', 'b', 0, 'c' };
	const struct bytes b = { .data = data, .size = sizeof(data) }, none = { 0 };

	ck_assert_str_eq(bytes_string(b, 0), "");
	ck_assert_str_eq(bytes_string(b, 1), "ab");
	ck_assert_str_eq(bytes_string(b, 2), "b");
	ck_assert_ptr_null(bytes_string(b, 4));
	ck_assert_ptr_null(bytes_string(b, 5));
	ck_assert_ptr_null(bytes_string(b, UINT64_MAX));
	ck_assert_ptr_null(bytes_string(none, 0));
}
