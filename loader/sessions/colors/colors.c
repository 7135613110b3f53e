// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Colored text. Colors are added to the lines of a message after formatting it: names in it are
 * escaped, so that every newline is pload's own.
 */
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/core/print/message.h"
#include "loader/base/output/terminal.h"

static bool has_headline(const char *type)
{
	static const char *const others[] = { "data", "histogram", "stack-map", "map-skipped",
					      "summary" };
	const size_t n = strlen(type), end = strlen("-begin");

	if (n > end && !strcmp(type + n - end, "-begin"))
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(type, others[i]))
			return true;
	return false;
}

/*
 * Return the length of @line before the part with @color, and in *@n the length of that part, or 0.
 */
static size_t find_part(const char *line, struct json_object *msg, const char **color, size_t *n)
{
	static const char frame[] = "      ", lost[] = "  lost:", error[] = " error: ";
	const char *at;

	*n = 0;
	if (message_get(msg, "stacks") && !strncmp(line, frame, strlen(frame))) {
		at = strstr(line, "+0x");
		*color = COLOR_FUNCTION;
		*n = at && strncmp(line + strlen(frame), "0x", 2) ? at - line - strlen(frame) : 0;
		return strlen(frame);
	}
	*color = COLOR_ERROR;
	if (message_get(msg, "losses") && !strncmp(line, lost, strlen(lost))) {
		*n = strlen(lost) - 2;
		return 2;
	}
	at = message_get(msg, "problem") ? strstr(line, error) : NULL;
	if (!at)
		return 0;
	*n = strlen(error) - 2;
	return at + 1 - line;
}

static void print_line(FILE *file, struct json_object *msg, const char *line, bool headline)
{
	const char *color = COLOR_HEADLINE;
	size_t n = strlen(line), before = headline ? 0 : find_part(line, msg, &color, &n);

	if (!n) {
		fputs(line, file);
		return;
	}
	fprintf(file, "%.*s%s%.*s%s%s", (int)before, line, color, (int)n, line + before, COLOR_END,
		line + before + n);
}

static bool print_colored(FILE *file, struct json_object *msg, message_printer text)
{
	const char *type = message_text(msg, "type");
	bool headline = type && has_headline(type);
	char *lines, *rest, *line;
	struct text_stream memory;

	if (!text_stream_open(&memory))
		return false;
	message_print_text(memory.file, msg, text);
	lines = text_stream_close(&memory);
	if (!lines)
		return false;
	for (rest = lines; (line = strsep(&rest, "\n")) && rest; headline = false) {
		print_line(file, msg, line, headline);
		putc('\n', file);
	}
	free(lines);
	return true;
}

static const struct output_format colored_text = {
	.name = "text", .print_as = print_colored, .digest = true, .records = RECORDS_AS_TEXT,
};

const struct output_format *output_format_colored(const struct output_format *format)
{
	return format == output_format_find("text", NULL) ? &colored_text : format;
}
