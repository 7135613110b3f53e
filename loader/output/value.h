/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of this folder share about values: strings, characters, and building objects. */
#ifndef PLOAD_OUTPUT_VALUE_H
#define PLOAD_OUTPUT_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json_object.h>

#include "elf/bytes.h"

/* What a JSON string stands for. JSON shows all alike; text quotes the first and not the others. */
enum value_string {
	VALUE_TEXT,	/* characters from a char array or a name; any bytes */
	VALUE_WORD,	/* an enumerator, a pointer */
	VALUE_HEX,	/* the hex digits of bytes without a type */
};

/* value_string() - a string of that kind; NULL is ENOMEM. */
struct json_object *value_string(enum value_string kind, const char *s, size_t size);
enum value_string value_string_kind(struct json_object *string);

/* value_per_cpu() - an empty array for {"cpu":, "value":}; text tells it from a program's own. */
struct json_object *value_per_cpu(void);
bool value_is_per_cpu(struct json_object *array);

/* value_hex() - @bytes as hex digits; value_address() - "0x...". NULL is ENOMEM. */
struct json_object *value_hex(struct bytes bytes);
struct json_object *value_address(uint64_t address);

/*
 * value_add() - put @member into @object under @key, value_append() - at the end of @array. Take
 * @member over, and are false (no memory) when it is NULL: so a chain of them needs one check. @key
 * is borrowed until @object is given back. value_add_null() - null, for what is not known.
 * value_add_count() - @n where the kernel counts that, else null: 0 would be a lie.
 */
bool value_add(struct json_object *object, const char *key, struct json_object *member);
bool value_add_null(struct json_object *object, const char *key);
bool value_add_count(struct json_object *object, const char *key, bool counts, uint64_t n);
bool value_append(struct json_object *array, struct json_object *member);

/*
 * text_decode() - the UTF-8 character @s begins with, into *@c; its length, or 0 when these bytes
 * are none. @size > 0.
 */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c);

/*
 * text_is_control() - whether a terminal would act on it: C0, DEL, C1, and what turns the direction
 * of writing.
 */
bool text_is_control(uint32_t c);

/*
 * text_print() - @s with everything escaped as in C that a terminal would act on or that is no
 * UTF-8; @quote: '"', or 0.
 */
void text_print(FILE *file, const char *s, size_t size, char quote);

/* text_print_hex() - hex digits in groups of four bytes. */
void text_print_hex(FILE *file, const char *digits, size_t size);

#endif
