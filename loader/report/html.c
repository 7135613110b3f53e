// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report as one page. */
#include <stdlib.h>

#include "loader/report/parts.h"

void report_html(FILE *file, struct json_object *doc)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	report_text(to, doc);
	if (!fclose(to)) {
		fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
		      "<title>pload compare</title></head><body><pre>\n", file);
		for (const char *c = text; *c; c++)
			if (*c == '<' || *c == '>' || *c == '&')
				fprintf(file, "&#%d;", *c);
			else
				putc(*c, file);
		fputs("</pre></body></html>\n", file);
	}
	free(text);
}
