/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Build and print JSON trees, and print strings safely on a terminal. */
#ifndef PLOAD_CORE_VALUE_VALUE_H
#define PLOAD_CORE_VALUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "elf/bytes.h"

/* The kind of a JSON string. JSON prints all kinds alike; text quotes only VALUE_TEXT. */
enum value_string {
	VALUE_TEXT,	/* a char array or a name; any bytes */
	VALUE_WORD,	/* an enumerator, a pointer */
	VALUE_HEX,	/* hex digits of untyped bytes */
};

/* Functions that return a new value return NULL if out of memory. */
struct json_object *value_string(enum value_string kind, const char *s, size_t size);
enum value_string value_string_kind(struct json_object *string);

/* value_per_cpu() - An array for {"cpu":, "value":}, marked for the text format. */
struct json_object *value_per_cpu(void);
bool value_is_per_cpu(struct json_object *array);

/* value_hex() - Hex digits of @bytes; value_address() - "0x...". */
struct json_object *value_hex(struct bytes bytes);
struct json_object *value_address(uint64_t address);

/**
 * value_add() - Add @member to @object under @key. value_append() - Append it to @array.
 * value_add_copied() - Add it under a copy of @key, which must be new.
 * value_add_null() - Add null, for an unknown value.
 * value_add_string() - Add @text, or null if it is NULL.
 * value_add_int(), value_add_uint(), value_add_bool() - Add @n.
 * value_add_count() - Add @n if the kernel counts it, otherwise null.
 * value_is_complete() - Return false if memory ran out for @value or one of its members.
 * @object, @array: NULL makes the call return false.
 * @member: the callee takes ownership; complete it first. NULL makes the call return false.
 * @key: borrowed until @object is released.
 *
 * If out of memory, @object or @array is marked as incomplete, and so are all its ancestors.
 * output_message_as() checks the mark, like ferror(3) for a stream, so nobody else needs to.
 *
 * Return: false if out of memory.
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

/* value_print() - Print a tree as C-style text: {.pid = 12, .comm = "bash"}. */
void value_print(FILE *file, struct json_object *value);

/* text_decode() - Decode one UTF-8 character of @s into *@c. Return its length, or 0 if invalid. */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c);

/**
 * text_character() - Decode the first character of @s for formats that require UTF-8: an invalid
 * byte becomes the character with its number.
 * @n: set to its size in bytes, at least 1.
 *
 * Return: true if the bytes can be copied; false if they are invalid or a terminal interprets *@c.
 */
bool text_character(const unsigned char *s, size_t size, unsigned int *n, uint32_t *c);

/* text_print() - Print @s with control characters and invalid UTF-8 escaped. @quote: '"' or 0. */
void text_print(FILE *file, const char *s, size_t size, char quote);

/**
 * text_escape() - Write the output of text_print() for @s to the string @to.
 * @to: has room for @size * ESCAPED_MAX + 1 bytes.
 *
 * Return: the length of the string.
 */
#define ESCAPED_MAX 4
size_t text_escape(char *to, const char *s, size_t size);

#endif
