/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Write numbers, bytes and strings into a buffer, in text and JSON syntax. */
#ifndef PLOAD_CORE_VALUE_PUT_H
#define PLOAD_CORE_VALUE_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "elf/bytes.h"

/* All write to @to, which must have room for the longest such value, and return the end. */

static inline char *put(char *to, const void *text, size_t size)
{
	memcpy(to, text, size);
	return to + size;
}

/* put_short() - Copy; both buffers have PUT_SLACK spare bytes, so most copies are a single move. */
#define PUT_SLACK 16
static inline char *put_short(char *to, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i += PUT_SLACK)
		memcpy(to + i, text + i, PUT_SLACK);
	return to + size;
}

/* put_u64(), put_s64() - In decimal, at most 20 characters; put_u32() - at most 10. */
char *put_u32(char *to, uint32_t v);
char *put_u64(char *to, uint64_t v);
char *put_s64(char *to, int64_t v);

/* put_double() - Adds ".0" if it would look like an integer. */
#define PUT_DOUBLE_MAX 32
char *put_double(char *to, double v);

/*
 * put_hex() - The low @digits hex digits of @v.
 * put_address() - "0x" and the digits of @v.
 * put_bytes() - Two digits per byte. @groups: with a space after every four bytes.
 */
char *put_hex(char *to, uint64_t v, unsigned int digits);
char *put_address(char *to, uint64_t v);
char *put_bytes(char *to, struct bytes bytes, bool groups);

/*
 * put_json_string() - @s as a JSON string.
 * put_text() - @s as text, in @quote or without (0).
 */
#define PUT_HEX_MAX(size) (3 * (uint64_t)(size) + 2)
#define PUT_STRING_MAX(size) (6 * (uint64_t)(size) + 2)
char *put_json_string(char *to, const char *s, size_t size);
char *put_text(char *to, const char *s, size_t size, char quote);

#endif
