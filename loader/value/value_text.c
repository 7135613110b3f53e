// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a value as text in the style of C, with everything escaped that a terminal acts on. */
#include <inttypes.h>

#include <json-c/linkhash.h>

#include "loader/print/output.h"
#include "loader/value/value.h"

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
unsigned int text_decode(const unsigned char *s, size_t size, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int n = 0;

	if (s[0] < 0x80)
		n = 1;
	else if (s[0] >= 0xc2 && s[0] < 0xf5)
		n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (!n || n > size)
		return 0;
	*c = n == 1 ? s[0] : s[0] & (0x7f >> n);
	for (unsigned int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	if (*c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000))
		return 0;
	return n;
}

bool text_is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

bool text_character(const unsigned char *s, size_t size, unsigned int *n, uint32_t *c)
{
	const unsigned int valid = text_decode(s, size, c);

	*n = valid ? valid : 1;
	if (!valid)
		*c = s[0];
	return valid && !text_is_control(*c);
}

/* Octal: three digits at most, so a following digit is not taken for a part, as with \x. */
static size_t escape(char *to, const unsigned char *s, unsigned int n)
{
	if (n == 1 && (s[0] == '\n' || s[0] == '\t' || s[0] == '\r'))
		return sprintf(to, "\\%c", s[0] == '\n' ? 'n' : s[0] == '\t' ? 't' : 'r');
	for (unsigned int i = 0; i < n; i++)
		sprintf(to + ESCAPED_MAX * i, "\\%03o", s[i]);
	return ESCAPED_MAX * n;
}

size_t text_escape(char *to, const char *string, size_t size)
{
	const unsigned char *s = (const unsigned char *)string;
	size_t len = 0;
	uint32_t c = 0;

	for (size_t i = 0, n; i < size; i += n) {
		const unsigned int valid = text_decode(s + i, size - i, &c);

		n = valid ? valid : 1;
		if (valid && !text_is_control(c)) {
			memcpy(to + len, s + i, n);
			len += n;
		} else {
			len += escape(to + len, s + i, n);
		}
	}
	to[len] = '\0';
	return len;
}

void text_print(FILE *file, const char *string, size_t size, char quote)
{
	const unsigned char *s = (const unsigned char *)string;
	char escaped[4 * ESCAPED_MAX + 1];
	size_t from = 0;
	unsigned int n;
	uint32_t c = 0;

	if (quote)
		putc(quote, file);
	for (size_t i = 0; i < size; i += n ? n : 1) {
		n = text_decode(s + i, size - i, &c);
		if (n && !text_is_control(c) &&
		    !(quote && (c == (unsigned char)quote || c == '\\')))
			continue;
		fwrite(s + from, 1, i - from, file);
		from = i;
		if (n && !text_is_control(c)) {
			putc('\\', file);
			continue;
		}
		fwrite(escaped, 1, escape(escaped, s + i, n ? n : 1), file);
		from = i + (n ? n : 1);
	}
	fwrite(s + from, 1, size - from, file);
	if (quote)
		putc(quote, file);
}

/* Print hex digits in groups of four bytes. */
static void print_hex(FILE *file, const char *digits, size_t size)
{
	for (size_t i = 0; i < size; i += 8)
		fprintf(file, "%s%.*s", i ? " " : "", size - i < 8 ? (int)(size - i) : 8,
			digits + i);
}

static void print_string(FILE *file, struct json_object *value)
{
	const char *s = json_object_get_string(value);
	size_t size = json_object_get_string_len(value);

	switch (value_string_kind(value)) {
	case VALUE_TEXT:
		text_print(file, s, size, '"');
		break;
	case VALUE_WORD:
		text_print(file, s, size, 0);
		break;
	case VALUE_HEX:
		print_hex(file, s, size);
		break;
	}
}

static void print_object(FILE *file, struct json_object *object)
{
	const char *sep = ".";

	putc('{', file);
	json_object_object_foreach(object, name, member) {
		fputs(sep, file);
		text_print(file, name, strlen(name), 0);
		fputs(" = ", file);
		value_print(file, member);
		sep = ", .";
	}
	putc('}', file);
}

/* Print long runs of one element as gdb does: {5, 0 <repeats 63 times>}. */
static void print_array(FILE *file, struct json_object *array)
{
	size_t n = json_object_array_length(array), run;
	struct json_object *element;

	putc('{', file);
	for (size_t i = 0; i < n; i += run) {
		element = json_object_array_get_idx(array, i);
		for (run = 1; i + run < n; run++)
			if (!json_object_equal(element, json_object_array_get_idx(array, i + run)))
				break;
		run = run < 8 ? 1 : run;
		if (i)
			fputs(", ", file);
		value_print(file, element);
		if (run > 1)
			fprintf(file, " <repeats %zu times>", run);
	}
	putc('}', file);
}

/* json_object_to_json_string() would keep a copy of the text in the number, if there is memory. */
static void print_int(FILE *file, struct json_object *number)
{
	int64_t i = json_object_get_int64(number);

	if (i == INT64_MAX)	/* json-c returns it for any larger number, too */
		fprintf(file, "%" PRIu64, json_object_get_uint64(number));
	else
		fprintf(file, "%" PRId64, i);
}

/* As json-c prints it: with ".0" if it would look like an integer. */
size_t value_double_text(char to[VALUE_DOUBLE_MAX], double number)
{
	const int n = snprintf(to, VALUE_DOUBLE_MAX, "%.17g", number);

	return strpbrk(to, ".en") ? n : n + sprintf(to + n, ".0");
}

static void print_double(FILE *file, double number)
{
	char text[VALUE_DOUBLE_MAX];

	fwrite(text, 1, value_double_text(text, number), file);
}

void value_print(FILE *file, struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_object:
		print_object(file, value);
		break;
	case json_type_array:
		print_array(file, value);
		break;
	case json_type_string:
		print_string(file, value);
		break;
	case json_type_int:
		print_int(file, value);
		break;
	case json_type_boolean:
		fputs(json_object_get_boolean(value) ? "true" : "false", file);
		break;
	case json_type_double:
		print_double(file, json_object_get_double(value));
		break;
	case json_type_null:
		fputs("null", file);
	}
}
