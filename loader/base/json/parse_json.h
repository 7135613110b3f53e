/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parse JSON (RFC 8259) that anyone may have written. */
#ifndef PLOAD_BASE_JSON_PARSE_JSON_H
#define PLOAD_BASE_JSON_PARSE_JSON_H

#include <stddef.h>

#include "loader/core/value/json_object.h"

#include "elf/error.h"

#define JSON_DEPTH_MAX 24	/* of nested arrays and objects */

/**
 * json_parse() - Parse the @size bytes of @text, which are one value and blanks.
 * @value: new, for json_object_put(); NULL for null, and on failure.
 *
 * Strings are UTF-8, and arrays and objects are nested at most JSON_DEPTH_MAX deep. Of members with
 * the same name the last one remains. A whole number beyond 64 bits becomes the nearest of 64 bits;
 * another one keeps its text.
 *
 * Return: 0, -ENOMEM, or -EINVAL with "this is not JSON: WHAT at byte N".
 */
int json_parse(const char *text, size_t size, struct json_object **value, struct error *err);

#endif
