/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parse untrusted JSON (RFC 8259). */
#ifndef PLOAD_BASE_JSON_PARSE_JSON_H
#define PLOAD_BASE_JSON_PARSE_JSON_H

#include <stddef.h>

#include "loader/core/value/json_object.h"

#include "elf/error.h"

#define JSON_DEPTH_MAX 24	/* nesting of arrays and objects */

/**
 * json_parse() - Parse the @size bytes of @text, a single value.
 * @value: new, for json_object_put(); NULL for null and on failure.
 *
 * Strings must be UTF-8, and arrays and objects nested at most JSON_DEPTH_MAX deep. Of duplicate
 * members the last one wins. Integers beyond 64 bits are clamped; other numbers keep their text.
 *
 * Return: 0, -ENOMEM, or -EINVAL with "this is not JSON: WHAT at byte N".
 */
int json_parse(const char *text, size_t size, struct json_object **value, struct error *err);

#endif
