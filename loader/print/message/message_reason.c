// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print pload explain as text: one line for each reason, or a page that fits a terminal. */
#include <string.h>

#include "loader/print/message/renderers.h"

#define COLUMNS 80
#define LABEL 10

void message_print_reason(FILE *file, struct json_object *msg)
{
	fprintf(file, "%-30s %s\n", message_text(msg, "code"), message_text(msg, "means"));
}

/* Break lines between words, and indent each to the column of the first. */
static void paragraph(FILE *file, const char *label, const char *text)
{
	size_t column = LABEL;

	fprintf(file, "  %-*s", LABEL - 2, label);
	while (*text) {
		const size_t n = strcspn(text, " ");

		if (column > LABEL && column + 1 + n > COLUMNS) {
			fprintf(file, "\n%*s", LABEL, "");
			column = LABEL;
		}
		column += fprintf(file, "%s%.*s", column > LABEL ? " " : "", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	putc('\n', file);
}

void message_print_reason_page(FILE *file, struct json_object *msg)
{
	static const char *const members[] = { "from", "check", "remedy" };

	fprintf(file, "%s: %s\n", message_text(msg, "code"), message_text(msg, "means"));
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		paragraph(file, members[i], message_text(msg, members[i]));
	putc('\n', file);
}
