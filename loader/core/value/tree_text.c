// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a tree as C-style text, in the same syntax as write_value.c. */
#include <inttypes.h>

#include "loader/core/value/put.h"
#include "loader/core/value/value.h"

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

/* json_object_to_json_string() would cache a copy of the text in the number. */
static void print_int(FILE *file, struct json_object *number)
{
	int64_t i = json_object_get_int64(number);

	if (i == INT64_MAX)	/* returned for any number above that, too */
		fprintf(file, "%" PRIu64, json_object_get_uint64(number));
	else
		fprintf(file, "%" PRId64, i);
}

static void print_double(FILE *file, double number)
{
	char text[PUT_DOUBLE_MAX];

	fwrite(text, 1, put_double(text, number) - text, file);
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
