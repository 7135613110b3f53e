// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Escapes text for a terminal, measures it in columns, and wraps it. */
#include <stdarg.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/compare/report/text/text.h"

/* Longer text is truncated. */
#define WORDS_MAX 4096

/* Room for the escaped text, which needs no memory that could run out. */
struct escaped {
	char text[ESCAPED_MAX * WORDS_MAX + 1];
};

static size_t escaped(const char *s, struct escaped *e)
{
	return text_escape(e->text, s, strnlen(s, WORDS_MAX));
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
	struct escaped e;
	unsigned int width;

	fitting(e.text, escaped(s, &e), UINT16_MAX, &width);
	return width;
}

void text_cell(FILE *file, const char *s, unsigned int width, bool last)
{
	struct escaped e;
	const size_t size = escaped(s, &e);
	unsigned int took;

	if (fitting(e.text, size, width, &took) < size) {
		fprintf(file, "%.*s..", (int)fitting(e.text, size, width - 2, &took), e.text);
		took += 2;
	} else {
		fputs(e.text, file);
	}
	if (!last && took < width)
		fprintf(file, "%*s", (int)(width - took), "");
}

/*
 * Return the bytes of @s that the next line of a column has: up to the last space that fits, else
 * up to the last "_", "=", "," or "/", or before a "+"; else as many as fit, and at least one.
 */
static size_t next_line(const char *s, unsigned int columns)
{
	const size_t size = strlen(s);
	unsigned int took;
	size_t fit = fitting(s, size, columns, &took), at;

	if (fit == size)
		return size;
	for (at = fit; at; at--)
		if (s[at] == ' ')
			return at;
	for (at = fit; at > 1; at--)
		if (strchr("_=,/", s[at - 1]) || s[at] == '+')
			return at;
	return fit ? fit : 1;
}

struct column {
	struct escaped e;
	const char *rest;	/* what was not printed yet */
};

void text_row(FILE *file, unsigned int indent, const struct text_column *columns, unsigned int nr)
{
	struct column list[TEXT_COLUMNS_MAX];
	bool more = true;

	for (unsigned int i = 0; i < nr; i++) {
		escaped(columns[i].text, &list[i].e);
		list[i].rest = list[i].e.text;
	}
	for (unsigned int line = 0; more; line++) {
		unsigned int at = 0, end = indent;

		more = false;
		for (unsigned int i = 0; i < nr; end += columns[i].width + GAP, i++) {
			const unsigned int in = line && !i ? 2 : 0;
			const size_t n = next_line(list[i].rest, columns[i].width - in);
			const char *s = list[i].rest;
			unsigned int took;

			fitting(s, n, UINT16_MAX, &took);
			if (n)
				fprintf(file, "%*s%.*s", (int)(end + in - at), "", (int)n, s);
			at = n ? end + in + took : at;
			list[i].rest += n;
			list[i].rest += strspn(list[i].rest, " ");
			more |= *list[i].rest;
		}
		putc('\n', file);
	}
}

void text_add(struct text_parts *parts, const char *fmt, ...)
{
	const size_t room = sizeof(parts->text) - parts->len;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(parts->text + parts->len, room, fmt, ap);
	va_end(ap);
	parts->len += strlen(parts->text + parts->len);
}

void text_paragraph(FILE *file, unsigned int at, unsigned int indent, const char *s)
{
	bool begun = false;
	unsigned int took;
	struct escaped e;
	char *p = e.text;

	escaped(s, &e);
	while (*(p += strspn(p, " "))) {
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
}
