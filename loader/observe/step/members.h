/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read members of a recorded call, and bytes in hexadecimal. */
#ifndef PLOAD_OBSERVE_STEP_MEMBERS_H
#define PLOAD_OBSERVE_STEP_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "loader/core/value/json_object.h"

/*
 * member_int(), member_text() - Return the member @name of @object, or @missing.
 * array_int(), array_text() - Return element @i of @array, or -1 and "".
 */
int member_int(struct json_object *object, const char *name, int missing);
const char *member_text(struct json_object *object, const char *name, const char *missing);
int array_int(struct json_object *array, size_t i);
const char *array_text(struct json_object *array, size_t i);

/** hex_read() - Fill the @size bytes of @to from hexadecimal; return false if there are fewer. */
bool hex_read(const char *text, void *to, size_t size);

#endif
