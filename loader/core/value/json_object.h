/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * JSON trees: numbers, strings, arrays and objects in memory. This is the part of json-c that pload
 * needs, with json-c's names.
 */
#ifndef PLOAD_CORE_VALUE_JSON_OBJECT_H
#define PLOAD_CORE_VALUE_JSON_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL represents null. */
struct json_object;

enum json_type {
	json_type_null,
	json_type_boolean,
	json_type_double,
	json_type_int,
	json_type_object,
	json_type_array,
	json_type_string,
};

/**
 * json_object_new_*() - Return a new value with one reference; NULL if out of memory.
 * json_object_new_double_s() - @text, which is copied, is how the number is printed.
 * json_object_get() - Take another reference to @value, which may be NULL, and return it.
 * json_object_put() - Drop a reference. Dropping the last one frees the value and its members.
 */
struct json_object *json_object_new_boolean(bool b);
struct json_object *json_object_new_int64(int64_t n);
struct json_object *json_object_new_uint64(uint64_t n);
struct json_object *json_object_new_double(double d);
struct json_object *json_object_new_double_s(double d, const char *text);
struct json_object *json_object_new_string(const char *s);
struct json_object *json_object_new_string_len(const char *s, size_t len);
struct json_object *json_object_new_array(void);
struct json_object *json_object_new_object(void);
struct json_object *json_object_get(struct json_object *value);
void json_object_put(struct json_object *value);

static inline struct json_object *json_object_new_int(int32_t n)
{
	return json_object_new_int64(n);
}

/**
 * json_object_get_int64() and others - Return the number in @value, converted to the type and
 * clamped to its range; 0 if it is not a number.
 * json_object_get_boolean() - Return true for true, a nonzero number, and a nonempty string.
 * json_object_get_string() - Return the string, or the JSON text of any other value. Borrowed; NULL
 * for null.
 * json_object_set_*() - Replace the number in @value. Return: false if it has a different type.
 */
enum json_type json_object_get_type(const struct json_object *value);
static inline bool json_object_is_type(const struct json_object *value, enum json_type type)
{
	return json_object_get_type(value) == type;
}
bool json_object_get_boolean(const struct json_object *value);
int64_t json_object_get_int64(const struct json_object *value);
uint64_t json_object_get_uint64(const struct json_object *value);
int32_t json_object_get_int(const struct json_object *value);
double json_object_get_double(const struct json_object *value);
const char *json_object_get_string(struct json_object *value);
size_t json_object_get_string_len(const struct json_object *value);
bool json_object_set_int64(struct json_object *value, int64_t n);
bool json_object_set_uint64(struct json_object *value, uint64_t n);
bool json_object_set_double(struct json_object *value, double d);

/** json_object_equal() - Return true if both are equal, regardless of member order. */
bool json_object_equal(const struct json_object *a, const struct json_object *b);

/* --- arrays; 0: the array owns @value; -1: out of memory --- */

size_t json_object_array_length(const struct json_object *array);
struct json_object *json_object_array_get_idx(const struct json_object *array, size_t i);
int json_object_array_add(struct json_object *array, struct json_object *value);
int json_object_array_put_idx(struct json_object *array, size_t i, struct json_object *value);
int json_object_array_del_idx(struct json_object *array, size_t i, size_t nr);

/* --- objects, whose members stay in insertion order --- */

enum json_add {
	JSON_ADD_NEW = 1,	/* the key is known to be new */
	JSON_ADD_CONSTANT = 2,	/* the key is not copied and outlives the object */
};

/**
 * json_object_object_add() - Add @value under a copy of @key, replacing any existing member.
 * json_object_object_add_ex() - The same with enum json_add flags. Return: 0, and @object owns
 * @value; -1 if out of memory.
 *
 * json_object_object_get_ex() - Find a member. @value: borrowed; NULL if not wanted.
 * json_object_object_at() - Get member @i. Return: false past the last.
 */
int json_object_object_add(struct json_object *object, const char *key, struct json_object *value);
int json_object_object_add_ex(struct json_object *object, const char *key,
			      struct json_object *value, unsigned int flags);
bool json_object_object_get_ex(const struct json_object *object, const char *key,
			       struct json_object **value);
struct json_object *json_object_object_get(const struct json_object *object, const char *key);
void json_object_object_del(struct json_object *object, const char *key);
size_t json_object_object_length(const struct json_object *object);
bool json_object_object_at(const struct json_object *object, size_t i, const char **key,
			   struct json_object **value);

/*
 * Declares @key and @value, as in json-c. The loop may change members, but not add or remove any.
 */
#define json_object_object_foreach(object, key, value)                                           \
	const char *key = NULL;                                                                  \
	struct json_object *value = NULL;                                                        \
	for (size_t key##_nr = 0; json_object_object_at(object, key##_nr, &key, &value);         \
	     key##_nr++)

/* --- marks: a pointer that the owner may attach to a value --- */

void json_object_set_userdata(struct json_object *value, const void *mark);
const void *json_object_get_userdata(const struct json_object *value);

/* --- as text: json_text.c --- */

/**
 * json_object_to_json_string_length() - Return @value as JSON text, and its length in @len unless
 * that is NULL.
 * @pretty: one member per line, indented; otherwise a single line without blanks.
 *
 * Return: a string borrowed from @value, valid until the next call for it; NULL if out of memory.
 */
const char *json_object_to_json_string_length(struct json_object *value, bool pretty, size_t *len);
static inline const char *json_object_to_json_string(struct json_object *value)
{
	return json_object_to_json_string_length(value, false, NULL);
}

#endif
