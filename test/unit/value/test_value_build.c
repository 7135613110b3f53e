// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The marks that objects and arrays have as user data of json-c. */
#include "loader/value/value.h"
#include "test/unit/common/suite.h"

/* --- json_object_put() of json-c 0.19 crashes if the outermost container still has user data --- */

static unsigned int nr_released;

/* json_object_put() has called the outermost container's function before, and frees it afterwards. */
static void expect_no_mark(struct json_object *member, void *outermost)
{
	(void)member;
	ck_assert_ptr_null(json_object_get_userdata(outermost));
	nr_released++;
}

static struct json_object *watching(struct json_object *outermost)
{
	struct json_object *member = json_object_new_int(1);

	json_object_set_userdata(member, outermost, expect_no_mark);
	return member;
}

static void expect_released(struct json_object *outermost)
{
	nr_released = 0;
	ck_assert_ptr_nonnull(json_object_get_userdata(outermost));
	json_object_put(outermost);
	ck_assert_uint_eq(nr_released, 1);
}

TEST(an_incomplete_object_is_released_without_its_mark)
{
	struct json_object *object = json_object_new_object();

	ck_assert(value_add(object, "one", watching(object)));
	ck_assert(!value_add(object, "two", NULL));
	ck_assert(!value_add(object, "three", NULL));
	expect_released(object);
}

TEST(an_incomplete_array_is_released_without_its_mark)
{
	struct json_object *array = json_object_new_array();

	ck_assert(value_append(array, watching(array)));
	ck_assert(!value_append(array, NULL));
	expect_released(array);
}

TEST(a_list_of_cpus_is_released_without_its_mark)
{
	struct json_object *array = value_per_cpu();

	ck_assert(value_append(array, watching(array)));
	expect_released(array);
}

/* --- they last as long as the value --- */

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
