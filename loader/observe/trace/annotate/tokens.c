// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse the arguments printed by the trace: name their descriptors, or convert them to JSON. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "loader/observe/trace/annotate/annotate.h"
#include "loader/core/value/value.h"

/* Return the end of the string whose opening '"' is at @text, and of the "..." after it. */
static const char *string_end(const char *text)
{
	const char *at = text + 1;

	while (*at && *at != '"')
		at += at[0] == '\\' && at[1] ? 2 : 1;
	at += *at == '"';
	return strncmp(at, "...", 3) ? at : at + 3;
}

static const char *word_end(const char *text)
{
	const char *at = text;
	int depth = 0;

	for (; *at; at++) {
		if (!depth && strchr(",}]", *at))
			break;
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
	}
	return at;
}

/* --- names of descriptors --- */

static void annotate_number(FILE *out, const char *text, size_t len, const struct fd_names *names)
{
	char *end;
	const long fd = strtol(text, &end, 10);
	const struct fd_entry *entry = fd >= 0 && fd <= INT_MAX && end == text + len ?
					       fd_names_find(names, fd) : NULL;

	if (entry)
		fprintf(out, " <%s>", entry->name);
}

/* Return true if the @len bytes of "name=" indicate that the value is a descriptor. */
static bool names_descriptor(const char *name, size_t len)
{
	return len >= 3 && !strncmp(name + len - 3, "fd=", 3);
}

void tokens_annotate(FILE *out, const char *text, unsigned int positions,
		     const struct fd_names *names)
{
	unsigned int depth = 0, position = 0;
	const char *end;

	for (; *text; text = end) {
		const char *equals;
		bool is_fd;

		if (*text == '"') {
			end = string_end(text);
			fwrite(text, 1, end - text, out);
			continue;
		}
		if (strchr("{}[], ~", *text)) {
			depth += *text == '{' || *text == '[';
			depth -= depth && (*text == '}' || *text == ']');
			position += *text == ',' && !depth;
			fputc(*text, out);
			end = text + 1;
			continue;
		}
		is_fd = !depth && position < 32 && positions >> position & 1;
		equals = text + strcspn(text, "=,}]{[\"");
		if (depth && *equals == '=') {
			is_fd = names_descriptor(text, equals + 1 - text);
			fwrite(text, 1, equals + 1 - text, out);
			text = equals + 1;
		}
		end = strchr("{[\"~", *text) ? text : word_end(text);
		fwrite(text, 1, end - text, out);
		if (is_fd)
			annotate_number(out, text, end - text, names);
	}
}

/* --- JSON --- */

/* The trace escapes and truncates strings. Undo the escaping, so that JSON has the bytes. */
static struct json_object *string_value(const char *text, const char *end)
{
	char bytes[TRACE_TEXT_MAX + sizeof("...")];
	const bool is_cut = end > text + 3 && !strncmp(end - 3, "...", 3);
	const char *at = text + 1;
	size_t len = 0;

	while (at < end && *at != '"' && len < TRACE_TEXT_MAX) {
		unsigned int byte = (unsigned char)*at;

		if (at[0] != '\\') {
			at++;
		} else if (at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1) {
			at += 4;
		} else {
			byte = at[1] == 'n' ? '\n' : (unsigned char)at[1];
			at += 2;
		}
		bytes[len++] = byte;
	}
	if (is_cut)
		memcpy(bytes + len, "...", 3);
	return json_object_new_string_len(bytes, len + 3 * is_cut);
}

/* A number that JSON readers represent exactly: decimal, at most 15 digits. */
static bool is_number(const char *text, size_t len)
{
	const size_t sign = len && text[0] == '-';

	if (len == sign || len > sign + 15 || (text[sign] == '0' && len > sign + 1))
		return false;
	return strspn(text + sign, "0123456789") >= len - sign;
}

static struct json_object *parse_value(const char **at);

/* Parse "name=value, ..." or "value, ..." up to a closing bracket, or to the end. */
static struct json_object *parse_list(const char **at, bool named)
{
	struct json_object *list = named ? json_object_new_object() : json_object_new_array();
	char name[64];

	while (**at && !strchr("}]", **at)) {
		if (named) {
			const size_t len = strcspn(*at, "=,}");

			snprintf(name, sizeof(name), "%.*s", (int)len, *at);
			*at += len + ((*at)[len] == '=');
			value_add_copied(list, name, parse_value(at));
		} else {
			value_append(list, parse_value(at));
		}
		*at += **at == ',';
		*at += strspn(*at, " ");
	}
	*at += **at != '\0';
	return list;
}

static struct json_object *parse_value(const char **at)
{
	struct json_object *value;
	const char *text = *at;

	if (*text == '"') {
		*at = string_end(text);
		return string_value(text, *at);
	}
	if (*text == '{' || *text == '[') {
		++*at;
		return parse_list(at, *text == '{');
	}
	if (text[0] == '~' && text[1] == '[') {
		++*at;
		value = json_object_new_object();
		value_add(value, "all_but", parse_value(at));
		return value;
	}
	*at = word_end(text);
	if (is_number(text, *at - text))
		return json_object_new_int64(strtoll(text, NULL, 10));
	return json_object_new_string_len(text, *at - text);
}

struct json_object *tokens_json(const char *text)
{
	return parse_list(&text, false);
}
