// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Build JSON values and objects; one that misses a member, out of memory, is marked. */
#include <stdlib.h>

#include "loader/core/value/put.h"
#include "loader/core/value/value.h"

struct json_object *value_string(enum value_string kind, const char *s, size_t size)
{
	struct json_object *string = json_object_new_string_len(s, size);

	if (string && kind != VALUE_TEXT)
		json_object_set_userdata(string, (void *)(uintptr_t)kind);
	return string;
}

enum value_string value_string_kind(struct json_object *string)
{
	return (enum value_string)(uintptr_t)json_object_get_userdata(string);
}

static const char per_cpu;	/* its address is the mark */

struct json_object *value_per_cpu(void)
{
	struct json_object *array = json_object_new_array();

	if (array)
		json_object_set_userdata(array, &per_cpu);
	return array;
}

bool value_is_per_cpu(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) &&
	       json_object_get_userdata(array) == &per_cpu;
}

struct json_object *value_hex(struct bytes b)
{
	struct json_object *string;
	char *hex;

	hex = malloc(2 * b.size + 1);
	if (!hex)
		return NULL;
	put_bytes(hex, b, false);
	string = value_string(VALUE_HEX, hex, 2 * b.size);
	free(hex);
	return string;
}

struct json_object *value_address(uint64_t address)
{
	char text[18];

	return value_string(VALUE_WORD, text, put_address(text, address) - text);
}

static const char incomplete;	/* its address is the mark */

bool value_is_complete(struct json_object *value)
{
	return value && json_object_get_userdata(value) != &incomplete;
}

static bool no_memory(struct json_object *to, struct json_object *member)
{
	json_object_put(member);
	if (to)
		json_object_set_userdata(to, &incomplete);
	return false;
}

/* Add a scalar member. */
static bool add(struct json_object *object, const char *key, struct json_object *member)
{
	const unsigned int flags = JSON_ADD_NEW | JSON_ADD_CONSTANT;

	if (object && member && !json_object_object_add_ex(object, key, member, flags))
		return true;
	return no_memory(object, member);
}

bool value_add(struct json_object *object, const char *key, struct json_object *member)
{
	return value_is_complete(member) ? add(object, key, member) : no_memory(object, member);
}

bool value_add_copied(struct json_object *object, const char *key, struct json_object *member)
{
	if (object && value_is_complete(member) &&
	    !json_object_object_add_ex(object, key, member, JSON_ADD_NEW))
		return true;
	return no_memory(object, member);
}

bool value_add_null(struct json_object *object, const char *key)
{
	return (object && !json_object_object_add(object, key, NULL)) || no_memory(object, NULL);
}

bool value_add_string(struct json_object *object, const char *key, const char *text)
{
	return text ? add(object, key, json_object_new_string(text)) : value_add_null(object, key);
}

bool value_add_int(struct json_object *object, const char *key, int64_t n)
{
	return add(object, key, json_object_new_int64(n));
}

bool value_add_uint(struct json_object *object, const char *key, uint64_t n)
{
	return add(object, key, json_object_new_uint64(n));
}

bool value_add_bool(struct json_object *object, const char *key, bool n)
{
	return add(object, key, json_object_new_boolean(n));
}

bool value_add_count(struct json_object *object, const char *key, bool counts, uint64_t n)
{
	return counts ? value_add_uint(object, key, n) : value_add_null(object, key);
}

bool value_append(struct json_object *array, struct json_object *member)
{
	if (array && value_is_complete(member) && !json_object_array_add(array, member))
		return true;
	return no_memory(array, member);
}
