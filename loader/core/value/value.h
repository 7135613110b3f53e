/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Building and printing trees of JSON, and strings so that a terminal cannot act on them. */
#ifndef PLOAD_CORE_VALUE_VALUE_H
#define PLOAD_CORE_VALUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "elf/bytes.h"

/* The kind of a JSON string. The JSON format prints all alike; text quotes only VALUE_TEXT. */
enum value_string {
	VALUE_TEXT,	/* characters from a char array or a name; any bytes */
	VALUE_WORD,	/* an enumerator, a pointer */
	VALUE_HEX,	/* the hex digits of bytes without a type */
};

/* The functions that return a new value return NULL when memory is short. */
struct json_object *value_string(enum value_string kind, const char *s, size_t size);
enum value_string value_string_kind(struct json_object *string);

/* value_per_cpu() - An array for {"cpu":, "value":}, marked for the text format. */
struct json_object *value_per_cpu(void);
bool value_is_per_cpu(struct json_object *array);

/* value_hex() - Hex digits of @bytes; value_address() - "0x...". */
struct json_object *value_hex(struct bytes bytes);
struct json_object *value_address(uint64_t address);

/**
 * value_add() - Add @member to @object under @key; value_append() - append it to @array.
 * value_add_copied() - Add it under a copy of @key, which no member may have.
 * value_add_null() - Add null, for a value that is not known.
 * value_add_string() - Add @text, or null if it is NULL.
 * value_add_int(), value_add_uint(), value_add_bool() - Add @n.
 * value_add_count() - Add @n if the kernel counts it, else null.
 * value_is_complete() - Return true unless memory was short for @value or for a member of it.
 * @object, @array: NULL makes the call return false.
 * @member: owned by the callee; complete it first. NULL makes the call return false.
 * @key: borrowed until @object is released.
 *
 * When memory is short, @object or @array is marked as incomplete, and so is what it is added to.
 * output_message_as() reports that, as ferror(3) does for a stream: nobody else needs to look.
 *
 * Return: false when memory is short.
 */
bool value_add(struct json_object *object, const char *key, struct json_object *member);
bool value_add_copied(struct json_object *object, const char *key, struct json_object *member);
bool value_add_null(struct json_object *object, const char *key);
bool value_add_string(struct json_object *object, const char *key, const char *text);
bool value_add_int(struct json_object *object, const char *key, int64_t n);
bool value_add_uint(struct json_object *object, const char *key, uint64_t n);
bool value_add_bool(struct json_object *object, const char *key, bool n);
bool value_add_count(struct json_object *object, const char *key, bool counts, uint64_t n);
bool value_append(struct json_object *array, struct json_object *member);
bool value_is_complete(struct json_object *value);

/* value_json() - Return @value as JSON on one line: json_object_to_json_string_length(). */
static inline const char *value_json(struct json_object *value, size_t *size)
{
	return json_object_to_json_string_length(value, false, size);
}

/* value_print() - Print a tree as text in the style of C: {.pid = 12, .comm = "bash"}. */
void value_print(FILE *file, struct json_object *value);

/* text_decode() - Decode one UTF-8 character of @s into *@c. Return its length, 0 if invalid. */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c);

/**
 * text_character() - Decode the character at the beginning of @s as the formats that require UTF-8
 * have it: a byte that is not UTF-8 is the character of its number.
 * @n: receives its bytes, at least 1.
 *
 * Return: true if these bytes can be copied; false if they are not UTF-8 or a terminal acts on *@c.
 */
bool text_character(const unsigned char *s, size_t size, unsigned int *n, uint32_t *c);

/* text_print() - Print @s with control characters and invalid UTF-8 escaped. @quote: '"' or 0. */
void text_print(FILE *file, const char *s, size_t size, char quote);

/**
 * text_escape() - Write what text_print() prints of @s into @to, as a string.
 * @to: room for ESCAPED_MAX bytes for each of @size, and one more.
 *
 * Return: the length of the string.
 */
#define ESCAPED_MAX 4
size_t text_escape(char *to, const char *s, size_t size);

#endif
