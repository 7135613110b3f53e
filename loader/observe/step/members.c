// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read members of a recorded call, and bytes in hexadecimal. */
#include <stdio.h>
#include <string.h>

#include "loader/observe/step/record.h"

int member_int(struct json_object *object, const char *name, int missing)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) &&
			       json_object_is_type(member, json_type_int) ?
		       json_object_get_int(member) : missing;
}

const char *member_text(struct json_object *object, const char *name, const char *missing)
{
	struct json_object *member;

	return json_object_object_get_ex(object, name, &member) &&
			       json_object_is_type(member, json_type_string) ?
		       json_object_get_string(member) : missing;
}

static struct json_object *element(struct json_object *array, size_t i)
{
	return json_object_is_type(array, json_type_array) &&
			       i < json_object_array_length(array) ?
		       json_object_array_get_idx(array, i) : NULL;
}

int array_int(struct json_object *array, size_t i)
{
	struct json_object *number = element(array, i);

	return json_object_is_type(number, json_type_int) ? json_object_get_int(number) : -1;
}

const char *array_text(struct json_object *array, size_t i)
{
	struct json_object *text = element(array, i);

	return json_object_is_type(text, json_type_string) ? json_object_get_string(text) : "";
}

bool hex_read(const char *text, void *to, size_t size)
{
	unsigned char *byte = to;

	for (size_t i = 0; i < size; i++)
		if (!text || strlen(text) < 2 * size ||
		    sscanf(text + 2 * i, "%2hhx", &byte[i]) != 1)
			return false;
	return true;
}
