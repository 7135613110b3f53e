// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Elements, attributes, text: each escaped where it is written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/report/html/html_writer.h"

static void put(struct html *h, const char *s)
{
	for (; *s; s++) {
		const size_t n = strcspn(s, "&<>\"'");

		fwrite(s, 1, n, h->file);
		s += n;
		if (!*s)
			return;
		fprintf(h->file, "&#%d;", *s);
	}
}

/* Control characters and what is no UTF-8 first; out of memory is the file's to tell. */
static void put_escaped(struct html *h, const char *s)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	text_print(to, s, strlen(s), 0);
	if (!fclose(to))
		put(h, text);
	free(text);
}

static void end_tag(struct html *h)
{
	if (h->in_tag)
		putc('>', h->file);
	h->in_tag = false;
}

void html_begin(struct html *h, FILE *file)
{
	*h = (struct html){ .file = file };
	fputs("<!DOCTYPE html>\n", file);
}

void html_open(struct html *h, const char *name)
{
	end_tag(h);
	fprintf(h->file, "<%s", name);
	h->open[h->depth++] = name;
	h->in_tag = true;
}

void html_attr(struct html *h, const char *name, const char *value)
{
	fprintf(h->file, " %s=\"", name);
	put_escaped(h, value);
	putc('"', h->file);
}

void html_attr_number(struct html *h, const char *name, uint64_t value)
{
	fprintf(h->file, " %s=\"%" PRIu64 "\"", name, value);
}

void html_class(struct html *h, const char *name)
{
	if (name)
		html_attr(h, "class", name);
}

void html_text(struct html *h, const char *text)
{
	end_tag(h);
	put_escaped(h, text);
}

/* Those that have no end in HTML. */
static bool is_void(const char *name)
{
	return !strcmp(name, "meta") || !strcmp(name, "rect") || !strcmp(name, "br") ||
	       !strcmp(name, "wbr");
}

void html_close(struct html *h)
{
	const char *name = h->open[--h->depth];

	if (is_void(name)) {
		fputs("/>", h->file);
		h->in_tag = false;
		return;
	}
	end_tag(h);
	fprintf(h->file, "</%s>", name);
	if (strchr("dhlstu", name[0]))	/* blocks and rows: lines of a length that can be read */
		putc('\n', h->file);
}

void html_end(struct html *h)
{
	while (h->depth)
		html_close(h);
	putc('\n', h->file);
}

void html_leaf(struct html *h, const char *name, const char *class_name, const char *text)
{
	html_open(h, name);
	html_class(h, class_name);
	html_text(h, text);
	html_close(h);
}
