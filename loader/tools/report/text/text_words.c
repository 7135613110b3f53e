// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Escapes text for a terminal, measures it in columns, and wraps it. */
#include <stdlib.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/report/text/text.h"

/* Longer text is truncated. */
#define WORDS_MAX 4096

/* Return a new string, or NULL for ENOMEM, when nothing is printed. */
static char *escaped(const char *s)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	text_print(to, s, strnlen(s, WORDS_MAX), 0);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* Return the bytes of @s that fit into @columns; *@took is the number of columns they take. */
static size_t fitting(const char *s, size_t size, unsigned int columns, unsigned int *took)
{
	const unsigned char *u = (const unsigned char *)s;
	unsigned int n, width;
	uint32_t c = 0;
	size_t i = 0;

	for (*took = 0; i < size; i += n) {
		n = text_decode(u + i, size - i, &c);
		n = n ? n : 1;
		/* Hangul and many later scripts are twice as wide; a short line does no harm. */
		width = c >= 0x1100 ? 2 : 1;
		if (*took + width > columns)
			break;
		*took += width;
	}
	return i;
}

unsigned int text_width(const char *s)
{
	char *text = escaped(s);
	unsigned int width = 0;

	if (text)
		fitting(text, strlen(text), UINT16_MAX, &width);
	free(text);
	return width;
}

void text_cell(FILE *file, const char *s, unsigned int width, bool last)
{
	char *text = escaped(s);
	unsigned int took;
	size_t n, size;

	if (!text)
		return;
	size = strlen(text);
	n = fitting(text, size, width, &took);
	if (n < size) {
		n = fitting(text, size, width - 2, &took);
		fprintf(file, "%.*s..", (int)n, text);
		took += 2;
	} else {
		fputs(text, file);
	}
	if (!last && took < width)
		fprintf(file, "%*s", (int)(width - took), "");
	free(text);
}

void text_line(FILE *file, unsigned int at, const char *s)
{
	text_cell(file, s, at + 2 < COLUMNS ? COLUMNS - at : 2, true);
	putc('\n', file);
}

void text_paragraph(FILE *file, unsigned int at, unsigned int indent, const char *s)
{
	char *text = escaped(s), *p = text;
	bool begun = false;
	unsigned int took;

	while (p && *(p += strspn(p, " "))) {
		const unsigned int room = at + begun < COLUMNS ? COLUMNS - at - begun : 0;
		size_t n = strcspn(p, " "), fit = fitting(p, n, room, &took);

		/* The word may fit into a line of its own. */
		if (fit < n && at > indent) {
			fprintf(file, "\n%*s", (int)indent, "");
			at = indent;
			begun = false;
			continue;
		}
		fprintf(file, "%s%.*s", begun ? " " : "", (int)fit, p);
		at += took + begun;
		begun = true;
		p += fit ? fit : n;
		if (fit < n) {
			fprintf(file, "\n%*s", (int)indent, "");
			at = indent;
			begun = false;
		}
	}
	putc('\n', file);
	free(text);
}
