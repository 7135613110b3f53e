// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON trees: numbers, strings, arrays and objects in memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/core/value/hash.h"
#include "loader/core/value/json_internal.h"

static struct json_object *new_value(enum json_type type)
{
	struct json_object *value = calloc(1, sizeof(*value));

	if (value) {
		value->type = type;
		value->nr_refs = 1;
	}
	return value;
}

struct json_object *json_object_new_boolean(bool b)
{
	struct json_object *value = new_value(json_type_boolean);

	if (value)
		value->b = b;
	return value;
}

struct json_object *json_object_new_int64(int64_t n)
{
	struct json_object *value = new_value(json_type_int);

	if (value)
		value->i = n;
	return value;
}

struct json_object *json_object_new_uint64(uint64_t n)
{
	struct json_object *value = new_value(json_type_int);

	if (value)
		json_object_set_uint64(value, n);
	return value;
}

struct json_object *json_object_new_double(double d)
{
	struct json_object *value = new_value(json_type_double);

	if (value)
		value->d = d;
	return value;
}

/* Set the text of the new @value. Return NULL if out of memory. */
static struct json_object *with_text(struct json_object *value, const char *s, size_t len)
{
	if (!value)
		return NULL;
	value->text = malloc(len + 1);
	if (!value->text) {
		free(value);
		return NULL;
	}
	memcpy(value->text, s, len);
	value->text[len] = '\0';
	return value;
}

struct json_object *json_object_new_double_s(double d, const char *text)
{
	return with_text(json_object_new_double(d), text, strlen(text));
}

struct json_object *json_object_new_string_len(const char *s, size_t len)
{
	struct json_object *value = with_text(new_value(json_type_string), s, len);

	if (value)
		value->len = len;
	return value;
}

struct json_object *json_object_new_string(const char *s)
{
	return json_object_new_string_len(s, strlen(s));
}

struct json_object *json_object_new_array(void)
{
	return new_value(json_type_array);
}

struct json_object *json_object_new_object(void)
{
	return new_value(json_type_object);
}

static bool has_members(const struct json_object *value)
{
	return value && (value->type == json_type_array || value->type == json_type_object);
}

struct json_object *json_object_get(struct json_object *value)
{
	if (value)
		value->nr_refs++;
	return value;
}

static void free_member(struct json_member *member)
{
	if (!member->is_constant)
		free((void *)member->key);
	json_object_put(member->value);
}

void json_object_put(struct json_object *value)
{
	if (!value || --value->nr_refs)
		return;
	for (uint32_t i = 0; has_members(value) && i < value->nr; i++)
		free_member(&value->members[i]);
	if (has_members(value))
		free(value->members);
	else if (value->type == json_type_string || value->type == json_type_double)
		free(value->text);
	free(value->index);
	free(value->json);
	free(value);
}

/* --- numbers and strings --- */

enum json_type json_object_get_type(const struct json_object *value)
{
	return value ? value->type : json_type_null;
}

bool json_object_get_boolean(const struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_boolean:
		return value->b;
	case json_type_int:
		return value->i;
	case json_type_double:
		return value->d != 0;
	case json_type_string:
		return value->len;
	default:
		return false;
	}
}

int64_t json_object_get_int64(const struct json_object *value)
{
	if (json_object_is_type(value, json_type_int))
		return value->is_unsigned ? INT64_MAX : value->i;
	if (!json_object_is_type(value, json_type_double) || isnan(value->d))
		return json_object_get_boolean(value);
	return value->d >= 0x1p63 ? INT64_MAX : value->d < -0x1p63 ? INT64_MIN : (int64_t)value->d;
}

uint64_t json_object_get_uint64(const struct json_object *value)
{
	int64_t n;

	if (json_object_is_type(value, json_type_int) && value->is_unsigned)
		return value->u;
	if (json_object_is_type(value, json_type_double) && value->d >= 0x1p63)
		return value->d >= 0x1p64 ? UINT64_MAX : (uint64_t)value->d;
	n = json_object_get_int64(value);
	return n < 0 ? 0 : n;
}

int32_t json_object_get_int(const struct json_object *value)
{
	const int64_t n = json_object_get_int64(value);

	return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : n;
}

double json_object_get_double(const struct json_object *value)
{
	if (json_object_is_type(value, json_type_double))
		return value->d;
	if (json_object_is_type(value, json_type_int) && value->is_unsigned)
		return value->u;
	return json_object_get_int64(value);
}

const char *json_object_get_string(struct json_object *value)
{
	if (json_object_is_type(value, json_type_string))
		return value->text;
	return value ? json_object_to_json_string(value) : NULL;
}

size_t json_object_get_string_len(const struct json_object *value)
{
	return json_object_is_type(value, json_type_string) ? value->len : 0;
}

bool json_object_set_int64(struct json_object *value, int64_t n)
{
	if (!json_object_is_type(value, json_type_int))
		return false;
	value->is_unsigned = false;
	value->i = n;
	return true;
}

bool json_object_set_uint64(struct json_object *value, uint64_t n)
{
	if (!json_object_is_type(value, json_type_int))
		return false;
	value->is_unsigned = n > INT64_MAX;
	value->u = n;
	return true;
}

bool json_object_set_double(struct json_object *value, double d)
{
	if (!json_object_is_type(value, json_type_double))
		return false;
	free(value->text);
	value->text = NULL;
	value->d = d;
	return true;
}

static bool equal_members(const struct json_object *a, const struct json_object *b)
{
	struct json_object *other;

	if (a->nr != b->nr)
		return false;
	for (uint32_t i = 0; i < a->nr; i++) {
		const struct json_member *m = &a->members[i];

		if (!m->key)
			other = b->members[i].value;
		else if (!json_object_object_get_ex(b, m->key, &other))
			return false;
		if (!json_object_equal(m->value, other))
			return false;
	}
	return true;
}

bool json_object_equal(const struct json_object *a, const struct json_object *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->type != b->type)
		return false;
	switch (a->type) {
	case json_type_boolean:
		return a->b == b->b;
	case json_type_int:
		return a->u == b->u && a->is_unsigned == b->is_unsigned;
	case json_type_double:
		return a->d == b->d;
	case json_type_string:
		return a->len == b->len && !memcmp(a->text, b->text, a->len);
	default:
		return equal_members(a, b);
	}
}

/* --- arrays --- */

size_t json_object_array_length(const struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? array->nr : 0;
}

struct json_object *json_object_array_get_idx(const struct json_object *array, size_t i)
{
	return i < json_object_array_length(array) ? array->members[i].value : NULL;
}

static int append(struct json_object *to, struct json_member member)
{
	struct json_member *members = to->members;

	if (to->nr == to->room) {
		const uint32_t room = to->room ? to->room * 2 : 4;

		members = room > UINT32_MAX / 4 ? NULL :
				realloc(members, room * sizeof(*members));
		if (!members)
			return -1;
		to->members = members;
		to->room = room;
	}
	members[to->nr++] = member;
	return 0;
}

int json_object_array_add(struct json_object *array, struct json_object *value)
{
	return append(array, (struct json_member){ .value = value });
}

int json_object_array_put_idx(struct json_object *array, size_t i, struct json_object *value)
{
	if (i >= array->nr)
		return -1;
	json_object_put(array->members[i].value);
	array->members[i].value = value;
	return 0;
}

int json_object_array_del_idx(struct json_object *array, size_t i, size_t nr)
{
	if (i > array->nr || nr > array->nr - i)
		return -1;
	for (size_t k = i; k < i + nr; k++)
		free_member(&array->members[k]);
	memmove(&array->members[i], &array->members[i + nr],
		(array->nr - i - nr) * sizeof(*array->members));
	array->nr -= nr;
	return 0;
}

/* --- objects --- */

/* Objects with this many members get an index: an untrusted file may have a million. */
#define INDEX_LEAST 32

/* Slots of the index: twice the member capacity, which is a power of two. */
static uint32_t *find_slot(const struct json_object *object, const char *key)
{
	const uint32_t mask = object->room * 2 - 1;
	uint32_t slot = hash_name((uintptr_t)object->index, key, strlen(key)) & mask;

	while (object->index[slot] && strcmp(object->members[object->index[slot] - 1].key, key))
		slot = (slot + 1) & mask;
	return &object->index[slot];
}

static struct json_member *find_member(const struct json_object *object, const char *key)
{
	if (object->index) {
		const uint32_t at = *find_slot(object, key);

		return at ? &object->members[at - 1] : NULL;
	}
	for (uint32_t i = 0; i < object->nr; i++)
		if (!strcmp(object->members[i].key, key))
			return &object->members[i];
	return NULL;
}

/* Rebuild the index if there are many members. If out of memory, lookups are linear. */
static void index_members(struct json_object *object)
{
	free(object->index);
	object->index = object->nr < INDEX_LEAST ? NULL :
				calloc(object->room * 2, sizeof(*object->index));
	for (uint32_t i = 0; object->index && i < object->nr; i++)
		*find_slot(object, object->members[i].key) = i + 1;
}

int json_object_object_add_ex(struct json_object *object, const char *key,
			      struct json_object *value, unsigned int flags)
{
	struct json_member *known = flags & JSON_ADD_NEW ? NULL : find_member(object, key);
	const uint32_t room = object->room;
	const char *kept;

	if (known) {
		json_object_put(known->value);
		known->value = value;
		return 0;
	}
	kept = flags & JSON_ADD_CONSTANT ? key : strdup(key);
	if (!kept)
		return -1;
	if (append(object, (struct json_member){ kept, flags & JSON_ADD_CONSTANT, value })) {
		if (!(flags & JSON_ADD_CONSTANT))
			free((void *)kept);
		return -1;
	}
	if (object->index && room == object->room)
		*find_slot(object, key) = object->nr;
	else if (object->nr >= INDEX_LEAST)
		index_members(object);
	return 0;
}

int json_object_object_add(struct json_object *object, const char *key, struct json_object *value)
{
	return json_object_object_add_ex(object, key, value, 0);
}

bool json_object_object_get_ex(const struct json_object *object, const char *key,
			       struct json_object **value)
{
	const struct json_member *member = json_object_is_type(object, json_type_object) ?
						   find_member(object, key) : NULL;

	if (value)
		*value = member ? member->value : NULL;
	return member;
}

struct json_object *json_object_object_get(const struct json_object *object, const char *key)
{
	struct json_object *value;

	json_object_object_get_ex(object, key, &value);
	return value;
}

void json_object_object_del(struct json_object *object, const char *key)
{
	struct json_member *member = find_member(object, key);

	if (!member)
		return;
	free_member(member);
	memmove(member, member + 1,
		(char *)&object->members[object->nr] - (char *)(member + 1));
	object->nr--;
	index_members(object);
}

size_t json_object_object_length(const struct json_object *object)
{
	return json_object_is_type(object, json_type_object) ? object->nr : 0;
}

bool json_object_object_at(const struct json_object *object, size_t i, const char **key,
			   struct json_object **value)
{
	if (i >= json_object_object_length(object))
		return false;
	*key = object->members[i].key;
	*value = object->members[i].value;
	return true;
}

/* --- marks --- */

void json_object_set_userdata(struct json_object *value, const void *mark)
{
	value->mark = mark;
}

const void *json_object_get_userdata(const struct json_object *value)
{
	return value ? value->mark : NULL;
}
