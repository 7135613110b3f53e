/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* JSON that a test wrote, as a tree. */
#ifndef PLOAD_TEST_UNIT_COMMON_JSON_OF_H
#define PLOAD_TEST_UNIT_COMMON_JSON_OF_H

#include <stdlib.h>
#include <string.h>

#include "loader/base/json/parse_json.h"
#include "loader/core/value/json_object.h"

/* json_of() - Parse @text, in which ' stands for " if it comes first. NULL: null, or no JSON. */
static inline struct json_object *json_of(const char *text)
{
	struct json_object *value = NULL;
	struct error err = { 0 };
	const bool quoted = text[strcspn(text, "'\"")] == '"';
	char *copy = strdup(text);

	for (char *c = copy; c && !quoted && *c; c++)
		*c = *c == '\'' ? '"' : *c;
	if (copy)
		json_parse(copy, strlen(copy), &value, &err);
	error_clear(&err);
	free(copy);
	return value;
}

#endif
