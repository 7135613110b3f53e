// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trees of JSON, and the marks that objects and arrays have. */
#include <math.h>
#include <stdio.h>

#include "loader/core/value/value.h"
#include "test/unit/common/suite.h"

/* --- numbers --- */

enum { SIGNED, UNSIGNED, DOUBLE };

static const struct {
	int type;
	int64_t n;
	double d;
	int64_t as_int64;
	uint64_t as_uint64;
	int32_t as_int;
	const char *json;
} numbers[] = {
	{ SIGNED, 0, 0, 0, 0, 0, "0" },
	{ SIGNED, -1, 0, -1, 0, -1, "-1" },
	{ SIGNED, INT64_MIN, 0, INT64_MIN, 0, INT32_MIN, "-9223372036854775808" },
	{ SIGNED, INT64_MAX, 0, INT64_MAX, INT64_MAX, INT32_MAX, "9223372036854775807" },
	{ UNSIGNED, INT64_MAX, 0, INT64_MAX, INT64_MAX, INT32_MAX, "9223372036854775807" },
	{ UNSIGNED, INT64_MIN, 0, INT64_MAX, 1ULL << 63, INT32_MAX, "9223372036854775808" },
	{ UNSIGNED, -1, 0, INT64_MAX, UINT64_MAX, INT32_MAX, "18446744073709551615" },
	{ DOUBLE, 0, 1.5, 1, 1, 1, "1.5" },
	{ DOUBLE, 0, -2, -2, 0, -2, "-2.0" },
	{ DOUBLE, 0, 0x1p63, INT64_MAX, 1ULL << 63, INT32_MAX, "9.2233720368547758e+18" },
	{ DOUBLE, 0, 0x1p64, INT64_MAX, UINT64_MAX, INT32_MAX, "1.8446744073709552e+19" },
	{ DOUBLE, 0, -0x1p64, INT64_MIN, 0, INT32_MIN, "-1.8446744073709552e+19" },
};

TEST_ROWS(a_number_is_limited_to_the_range_that_is_asked_for, numbers)
{
	struct json_object *value =
		numbers[_i].type == SIGNED ? json_object_new_int64(numbers[_i].n) :
		numbers[_i].type == UNSIGNED ? json_object_new_uint64(numbers[_i].n) :
					       json_object_new_double(numbers[_i].d);

	ck_assert_int_eq(json_object_get_int64(value), numbers[_i].as_int64);
	ck_assert_uint_eq(json_object_get_uint64(value), numbers[_i].as_uint64);
	ck_assert_int_eq(json_object_get_int(value), numbers[_i].as_int);
	ck_assert_str_eq(json_object_get_string(value), numbers[_i].json);
	json_object_put(value);
}

/* --- members --- */

/* With few members they are searched one by one; with many there is an index. */
static const unsigned int sizes[] = { 0, 1, 4, 5, 31, 32, 33, 64, 65, 300 };

TEST_ROWS(members_are_found_replaced_and_deleted, sizes)
{
	struct json_object *object = json_object_new_object(), *value;
	const unsigned int nr = sizes[_i];
	const char *key;
	char name[16];

	for (unsigned int i = 0; i < 2 * nr; i++) {	/* the second time they are replaced */
		snprintf(name, sizeof(name), "k%u", i % nr);
		ck_assert(!json_object_object_add(object, name, json_object_new_int(i)));
	}
	ck_assert_uint_eq(json_object_object_length(object), nr);
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "k%u", i);
		ck_assert(json_object_object_at(object, i, &key, &value));
		ck_assert_str_eq(key, name);
		ck_assert_ptr_eq(json_object_object_get(object, name), value);
		ck_assert_int_eq(json_object_get_int(value), nr + i);
	}
	ck_assert(!json_object_object_at(object, nr, &key, &value));
	for (unsigned int i = 0; i < nr; i += 2) {
		snprintf(name, sizeof(name), "k%u", i);
		json_object_object_del(object, name);
	}
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "k%u", i);
		ck_assert_int_eq(json_object_object_get_ex(object, name, NULL), i % 2);
	}
	json_object_object_del(object, "none");
	ck_assert_uint_eq(json_object_object_length(object), nr / 2);
	json_object_put(object);
}

TEST(a_tree_is_printed_on_one_line_or_indented)
{
	struct json_object *object = json_object_new_object(), *array = json_object_new_array();

	json_object_object_add(object, "a\"", array);
	json_object_array_add(array, NULL);
	json_object_array_add(array, json_object_new_boolean(true));
	json_object_array_add(array, json_object_new_array());
	json_object_object_add(object, "b", json_object_new_object());
	ck_assert_str_eq(json_object_to_json_string(object),
			 "{\"a\\\"\":[null,true,[]],\"b\":{}}");
	ck_assert_str_eq(json_object_to_json_string_length(object, true, NULL),
			 "{\n  \"a\\\"\":[\n    null,\n    true,\n    []\n  ],\n  \"b\":{}\n}");
	json_object_array_del_idx(array, 0, 2);
	ck_assert_str_eq(json_object_to_json_string(object), "{\"a\\\"\":[[]],\"b\":{}}");
	json_object_put(object);
	ck_assert_str_eq(json_object_to_json_string(NULL), "null");
}

TEST(values_are_equal_whatever_the_order_of_members)
{
	struct json_object *a = json_object_new_object(), *b = json_object_new_object();

	json_object_object_add(a, "x", json_object_new_int(1));
	json_object_object_add(a, "y", NULL);
	json_object_object_add(b, "y", NULL);
	ck_assert(!json_object_equal(a, b));
	json_object_object_add(b, "x", json_object_new_int(2));
	ck_assert(!json_object_equal(a, b));
	json_object_object_add(b, "x", json_object_new_int(1));
	ck_assert(json_object_equal(a, b));
	json_object_put(a);
	json_object_put(b);
}

/* --- marks last as long as the value --- */

TEST(a_mark_lasts_while_the_value_has_an_owner)
{
	struct json_object *object = json_object_new_object(), *array = value_per_cpu();

	ck_assert(!value_add(object, "none", NULL));
	json_object_put(json_object_get(object));
	ck_assert(!value_is_complete(object));
	json_object_put(object);

	ck_assert(value_append(array, json_object_new_int(1)));
	json_object_put(json_object_get(array));
	ck_assert(value_is_per_cpu(array));
	json_object_put(array);
}

TEST(a_container_is_incomplete_with_one_that_it_was_to_have)
{
	struct json_object *outer = json_object_new_object(), *inner = json_object_new_object();

	ck_assert(value_add_int(inner, "one", 1));
	ck_assert(!value_add(inner, "two", NULL));
	ck_assert(value_is_complete(outer));
	ck_assert(!value_add(outer, "inner", inner));
	ck_assert(!value_is_complete(outer));
	json_object_put(outer);
}
