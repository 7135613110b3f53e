// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a value as text; long untyped bytes as a hex dump. */
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* More bytes than this are printed as a hex dump. */
#define INLINE_BYTES 32

static unsigned int hex_byte(const char *digits)
{
	unsigned int byte = 0;

	for (int i = 0; i < 2; i++)
		byte = byte << 4 | (digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
	return byte;
}

static void print_dump_line(FILE *file, const char *digits, size_t off, size_t size)
{
	unsigned int c;

	fprintf(file, "\n  %04zx ", off);
	for (size_t i = off; i < off + 16; i++) {
		if (i < size)
			fprintf(file, "%s%.2s", i % 8 ? " " : "  ", digits + 2 * i);
		else
			fputs(i % 8 ? "   " : "    ", file);
	}
	fputs("  |", file);
	for (size_t i = off; i < off + 16 && i < size; i++) {
		c = hex_byte(digits + 2 * i);
		putc(c >= 0x20 && c < 0x7f ? (int)c : '.', file);
	}
	putc('|', file);
}

/*
 * Print 16 bytes per line, after the offset and before the characters; '*' replaces repeated lines.
 */
static void print_dump(FILE *file, const char *digits, size_t size)
{
	bool starred = false, same;

	for (size_t off = 0; off < size; off += 16) {
		same = off && off + 16 < size &&
		       !memcmp(digits + 2 * off, digits + 2 * off - 32, 32);
		if (!same)
			print_dump_line(file, digits, off, size);
		else if (!starred)
			fputs("\n  *", file);
		starred = same;
	}
}

static bool is_dump(struct json_object *value)
{
	return json_object_is_type(value, json_type_string) &&
	       value_string_kind(value) == VALUE_HEX &&
	       json_object_get_string_len(value) > 2 * INLINE_BYTES;
}

void message_print_value(FILE *file, struct json_object *value)
{
	if (is_dump(value)) {
		fprintf(file, "%zu bytes", json_object_get_string_len(value) / 2);
		print_dump(file, json_object_get_string(value),
			   json_object_get_string_len(value) / 2);
	} else {
		value_print(file, value);
	}
}
