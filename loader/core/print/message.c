// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages: one JSON object each, printed in one of the formats of a table. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

struct json_object *message_new(const char *type)
{
	struct json_object *msg = json_object_new_object();

	value_add_string(msg, "type", type);
	return msg;
}

/* --- members --- */

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

void message_print_line(FILE *file, struct json_object *line)
{
	const char *text = json_object_get_string(line);
	const char *end = text + json_object_get_string_len(line);

	while (text < end) {
		const char *tab = memchr(text, '\t', end - text), *stop = tab ? tab : end;

		text_print(file, text, stop - text, 0);
		if (tab)
			putc('\t', file);
		text = tab ? tab + 1 : end;
	}
	putc('\n', file);
}

/* --- formats --- */

static bool print_json(FILE *file, struct json_object *msg)
{
	size_t size;
	const char *text = value_json(msg, &size);

	if (!text)
		return false;
	fwrite(text, 1, size, file);
	putc('\n', file);
	return true;
}

/*
 * '<' occurs only in strings. "</script" would end the element, and "<!--" would start a comment.
 */
bool message_print_page(FILE *file, const char *begin, struct json_object *data, const char *end)
{
	const char *text = value_is_complete(data) ? value_json(data, NULL) : NULL;

	if (!text)
		return false;
	fputs(begin, file);
	for (size_t n; n = strcspn(text, "<"), fwrite(text, 1, n, file), text[n]; text += n + 1)
		fputs("\\u003c", file);
	fputs(end, file);
	return true;
}

bool message_print_text(FILE *file, struct json_object *msg, message_printer text)
{
	if (text) {
		text(file, msg);
		return true;
	}
	value_print(file, msg);
	putc('\n', file);
	return true;
}

bool message_print_beside(FILE *file, struct json_object *msg, message_printer text)
{
	(void)file;
	return message_print_text(stderr, msg, text);
}

static const struct output_format formats[] = {
	{ .name = "text", .print_as = message_print_text, .digest = true,
	  .records = RECORDS_AS_TEXT },
	{ .name = "json", .print = print_json, .records = RECORDS_AS_JSON },
};

const struct output_format *output_format_find(const char *name, struct error *err)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(name, formats[i].name))
			return &formats[i];
	error_set(err, EINVAL, "unknown output format '%s'", name);
	error_hint(err, "the formats are text and json");
	return NULL;
}
