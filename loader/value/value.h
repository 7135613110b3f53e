/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Building JSON values, and printing strings so that a terminal cannot act on them. */
#ifndef PLOAD_VALUE_VALUE_H
#define PLOAD_VALUE_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json_object.h>

#include "elf/btf.h"
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

/**
 * value_sum_add() - Add the numbers of @value to those of @sum, which has the same type.
 * Anything else, such as a string, has to be equal in both.
 *
 * Return: false if it is not; some numbers have been added then.
 */
bool value_sum_add(struct json_object *sum, struct json_object *value);

/* value_is_zero() - Return true if all bytes of the decoded @value were zero. */
bool value_is_zero(struct json_object *value);

/* value_hex() - Hex digits of @bytes; value_address() - "0x...". */
struct json_object *value_hex(struct bytes bytes);
struct json_object *value_address(uint64_t address);

/**
 * value_add() - Add @member to @object under @key; value_append() - append it to @array.
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
bool value_add_null(struct json_object *object, const char *key);
bool value_add_string(struct json_object *object, const char *key, const char *text);
bool value_add_int(struct json_object *object, const char *key, int64_t n);
bool value_add_uint(struct json_object *object, const char *key, uint64_t n);
bool value_add_bool(struct json_object *object, const char *key, bool n);
bool value_add_count(struct json_object *object, const char *key, bool counts, uint64_t n);
bool value_append(struct json_object *array, struct json_object *member);
bool value_is_complete(struct json_object *value);

/**
 * value_json() - Return @value as JSON on one line, and its length in @size unless NULL.
 *
 * json-c leaves out what it has no memory for, and reports nothing; malloc(3) sets errno.
 * Return: borrowed from @value; NULL when memory is short.
 */
const char *value_json(struct json_object *value, size_t *size);

/*
 * BTF may be hostile: overlapping members can make a value of a few bytes arbitrarily large. Each
 * value has a budget of depth and nodes. One that exceeds it is printed as hex, whole: exact, and
 * never more than twice its bytes.
 */
#define VALUE_MAX_DEPTH	32
#define VALUE_MAX_NODES	65536

/* A longer array of single bytes is printed as hex, not as a list of numbers. */
#define VALUE_MAX_BYTE_LIST 32

/*
 * The rules by which a value is decoded; ring/ compiles them once for all records of a map.
 *
 * value_size() - Return the bytes of a value of type @t, or -EINVAL. As btf_size(), but without a
 *	lookup for most types: there may be millions of records.
 * value_is_old_bit_field() - Return true if @t is an INT with fewer bits than its bytes have, which
 *	is a bit field where the struct has no kind_flag.
 * value_is_chars() - Return true if an array of @element is text.
 * value_is_bytes() - Return true if an array of @nelems of @element is printed as hex.
 * value_is_number() - Return true for INT, ENUM and ENUM64; value_is_signed() - one with a sign.
 * value_bits() - Return the @bits (1 to 64) bits of @b from bit @start on, as the compiler numbers
 *	them: from the lowest bit of the first byte on a little-endian machine, from the highest on
 *	a big-endian one.
 * value_sign_extend() - Return @v, whose lowest @bits are a signed number, as 64 bits.
 * value_is_flexible() - Return true if @t is a struct that ends in an array of no elements.
 * value_double_text() - Write @number to @to as JSON and text have it; return the length.
 */
int64_t value_size(const struct btf *btf, const struct btf_type_view *t);
bool value_is_old_bit_field(const struct btf_type_view *t);
bool value_is_chars(const struct btf_type_view *element);
bool value_is_bytes(const struct btf_type_view *element, uint32_t nelems);
bool value_is_number(const struct btf_type_view *t);
bool value_is_signed(const struct btf_type_view *t);
uint64_t value_bits(struct bytes b, uint64_t start, unsigned int bits);
uint64_t value_sign_extend(uint64_t v, unsigned int bits);
bool value_is_flexible(const struct btf *btf, const struct btf_type_view *t);
#define VALUE_DOUBLE_MAX 32
size_t value_double_text(char to[VALUE_DOUBLE_MAX], double number);

/* text_decode() - Decode one UTF-8 character of @s into *@c. Return its length, 0 if invalid. */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c);

/* text_is_control() - Return true if a terminal acts on @c: C0, DEL, C1, bidirectional controls. */
bool text_is_control(uint32_t c);

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
