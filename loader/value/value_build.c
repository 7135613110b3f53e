// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Build JSON values and objects; one that lacks a member, for want of memory, is marked. */
#include <errno.h>
#include <stdlib.h>

#include "loader/value/put.h"
#include "loader/value/value.h"

struct json_object *value_string(enum value_string kind, const char *s, size_t size)
{
	struct json_object *string =
		size > INT32_MAX ? NULL : json_object_new_string_len(s, (int)size);

	if (string && kind != VALUE_TEXT)
		json_object_set_userdata(string, (void *)(uintptr_t)kind, NULL);
	return string;
}

enum value_string value_string_kind(struct json_object *string)
{
	return (enum value_string)(uintptr_t)json_object_get_userdata(string);
}

/* --- marks: user data that json-c keeps beside an object or array --- */

/*
 * json_object_put() of json-c 0.19 crashes for a container that has user data: it keeps the parent
 * in the same word, and takes the data of the outermost one for a parent. Before it does so, it
 * calls the function that is set with the data, as every release does, and this one removes them.
 * For that it has to call json_object_set_userdata(), which calls the function once more.
 */
static void remove_mark(struct json_object *container, void *mark)
{
	static _Thread_local bool removing;

	(void)mark;
	if (removing)
		return;
	removing = true;
	json_object_set_userdata(container, NULL, NULL);
	removing = false;
}

static void set_mark(struct json_object *container, const char *mark)
{
	json_object_set_userdata(container, (void *)mark, remove_mark);
}

static const char per_cpu;	/* its address is the mark */

struct json_object *value_per_cpu(void)
{
	struct json_object *array = json_object_new_array();

	if (array)
		set_mark(array, &per_cpu);
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

	if (b.size > INT32_MAX / 2)
		return NULL;
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
		set_mark(to, &incomplete);
	return false;
}

/* Add a member without members of its own. */
static bool add(struct json_object *object, const char *key, struct json_object *member)
{
	const unsigned int flags = JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT;

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
	    !json_object_object_add_ex(object, key, member, JSON_C_OBJECT_ADD_KEY_IS_NEW))
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

const char *value_json(struct json_object *value, size_t *size)
{
	const char *text;

	errno = 0;
	text = json_object_to_json_string_length(
		value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, size);
	return errno == ENOMEM ? NULL : text;
}
