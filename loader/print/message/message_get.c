// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the members of a message. */
#include <inttypes.h>

#include "loader/print/message.h"
#include "loader/value/value.h"

struct json_object *message_get(struct json_object *msg, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(msg, key, &value);
	return value;
}

uint64_t message_number(struct json_object *msg, const char *key)
{
	return json_object_get_uint64(message_get(msg, key));
}

const char *message_text(struct json_object *msg, const char *key)
{
	return json_object_get_string(message_get(msg, key));
}

void message_print_string(FILE *file, struct json_object *string)
{
	if (string)
		text_print(file, json_object_get_string(string), json_object_get_string_len(string),
			   0);
}

void message_print_count(FILE *file, uint64_t n, const char *what)
{
	fprintf(file, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

void message_print_member(FILE *file, struct json_object *msg, const char *key)
{
	message_print_string(file, message_get(msg, key));
}

void message_print_with(FILE *file, struct json_object *msg, const char *before, const char *key,
			const char *after)
{
	if (!message_get(msg, key))
		return;
	fputs(before, file);
	message_print_member(file, msg, key);
	fputs(after, file);
}
