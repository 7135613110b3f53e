// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Add decoded values of several CPUs: their numbers, member by member. */
#include <string.h>

#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/value/value.h"

/* The bits of a number and its sign. */
static uint64_t bits_of(struct json_object *number)
{
	const int64_t n = json_object_get_int64(number);

	return n < 0 ? (uint64_t)n : json_object_get_uint64(number);
}

static bool add_numbers(struct json_object *sum, struct json_object *value)
{
	const bool negative = json_object_get_int64(sum) < 0 || json_object_get_int64(value) < 0;
	const uint64_t bits = bits_of(sum) + bits_of(value);

	return negative ? json_object_set_int64(sum, (int64_t)bits) :
			  json_object_set_uint64(sum, bits);
}

static bool add_members(struct json_object *sum, struct json_object *value)
{
	struct json_object *added;

	json_object_object_foreach(sum, name, member)
		if (!json_object_object_get_ex(value, name, &added) ||
		    !value_sum_add(member, added))
			return false;
	return true;
}

static bool add_elements(struct json_object *sum, struct json_object *value)
{
	const size_t nr = json_object_array_length(sum);

	if (json_object_array_length(value) != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (!value_sum_add(json_object_array_get_idx(sum, i),
				   json_object_array_get_idx(value, i)))
			return false;
	return true;
}

bool value_sum_add(struct json_object *sum, struct json_object *value)
{
	if (json_object_get_type(sum) != json_object_get_type(value))
		return false;
	switch (json_object_get_type(sum)) {
	case json_type_int:
		return add_numbers(sum, value);
	case json_type_double:
		return json_object_set_double(sum, json_object_get_double(sum) +
						   json_object_get_double(value));
	case json_type_object:
		return add_members(sum, value);
	case json_type_array:
		return add_elements(sum, value);
	default:
		return json_object_equal(sum, value);
	}
}

static bool members_are_zero(struct json_object *value)
{
	json_object_object_foreach(value, name, member)
		if (!value_is_zero(member))
			return false;
	return true;
}

bool value_is_zero(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_int:
		return !json_object_get_int64(value);
	case json_type_double:
		return json_object_get_double(value) == 0;
	case json_type_string:
		return !json_object_get_string_len(value) ||
		       !strcmp(json_object_get_string(value), "0x0");
	case json_type_object:
		return members_are_zero(value);
	case json_type_array:
		for (size_t i = 0; i < json_object_array_length(value); i++)
			if (!value_is_zero(json_object_array_get_idx(value, i)))
				return false;
		return true;
	default:
		return !json_object_get_boolean(value);
	}
}
