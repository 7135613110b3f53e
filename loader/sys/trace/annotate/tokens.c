// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the arguments that the trace has printed: name their descriptors, or convert to JSON. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/trace/annotate/tokens.h"

/* Return the end of the string that begins at @text with '"', and of the "..." after it. */
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

/* Return true if the @len bytes of "name=" before a value name a descriptor. */
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

static void json_byte(FILE *out, unsigned char c)
{
	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < ' ' || c >= 0x7f)
		fprintf(out, "\\u%04x", c);
	else
		fputc(c, out);
}

void trace_json_text(FILE *out, const char *text)
{
	for (; *text; text++)
		json_byte(out, *text);
}

void trace_json_string(FILE *out, const char *text, size_t len)
{
	fputc('"', out);
	for (size_t i = 0; i < len; i++)
		json_byte(out, text[i]);
	fputc('"', out);
}

/* The trace has escaped the string: undo that, so that JSON has the bytes. */
static void string_to_json(FILE *out, const char *text, const char *end)
{
	const char *at = text + 1;

	fputc('"', out);
	while (at < end && *at != '"') {
		unsigned int byte = (unsigned char)*at;

		if (at[0] != '\\') {
			at++;
		} else if (at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1) {
			at += 4;
		} else {
			byte = at[1] == 'n' ? '\n' : (unsigned char)at[1];
			at += 2;
		}
		json_byte(out, byte);
	}
	fputs(end > text + 3 && !strncmp(end - 3, "...", 3) ? "...\"" : "\"", out);
}

/* A number that a reader of JSON keeps exactly: decimal, of at most 15 digits. */
static bool is_number(const char *text, size_t len)
{
	const size_t sign = len && text[0] == '-';

	if (len == sign || len > sign + 15 || (text[sign] == '0' && len > sign + 1))
		return false;
	for (size_t i = sign; i < len; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return true;
}

static const char *value_to_json(FILE *out, const char *text);

/* Print "name=value, ..." up to @close, or with @close '\0' to the end. */
static const char *list_to_json(FILE *out, const char *text, char close)
{
	const bool named = close == '}';
	bool first = true;

	while (*text && *text != close) {
		fputs(first ? "" : ", ", out);
		first = false;
		if (named) {
			const size_t len = strcspn(text, "=,}");

			trace_json_string(out, text, len);
			fputs(": ", out);
			text += len + (text[len] == '=');
		}
		text = value_to_json(out, text);
		text += *text == ',';
		text += strspn(text, " ");
	}
	return text + (*text && *text == close);
}

static const char *value_to_json(FILE *out, const char *text)
{
	const char *end;

	if (*text == '"') {
		end = string_end(text);
		string_to_json(out, text, end);
		return end;
	}
	if (*text == '{' || *text == '[') {
		fputc(*text, out);
		end = list_to_json(out, text + 1, *text == '{' ? '}' : ']');
		fputc(*text == '{' ? '}' : ']', out);
		return end;
	}
	if (text[0] == '~' && text[1] == '[') {
		fputs("{\"all_but\": ", out);
		end = value_to_json(out, text + 1);
		fputc('}', out);
		return end;
	}
	end = word_end(text);
	if (is_number(text, end - text))
		fwrite(text, 1, end - text, out);
	else
		trace_json_string(out, text, end - text);
	/* Skip a byte with which no value begins, so that each turn takes some of the text. */
	return end == text && *text ? text + 1 : end;
}

void tokens_json(FILE *out, const char *text)
{
	fputc('[', out);
	list_to_json(out, text, '\0');
	fputc(']', out);
}
