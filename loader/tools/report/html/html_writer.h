/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writing HTML that is well-formed and escaped by construction: elements close in order, and text
 * and attributes have no way around the escaping.
 */
#ifndef PLOAD_TOOLS_REPORT_HTML_HTML_WRITER_H
#define PLOAD_TOOLS_REPORT_HTML_HTML_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HTML_DEPTH 32

struct html {
	FILE *file;	/* borrowed */
	const char *open[HTML_DEPTH];	/* static: names of elements */
	unsigned int depth;
	bool in_tag;	/* attributes may still come */
};

/* html_begin() - the doctype. html_end() closes what is still open. */
void html_begin(struct html *h, FILE *file);
void html_end(struct html *h);

/*
 * html_open() - an element; its name, and those of attributes, are literals of the source.
 * html_attr() - right behind it. html_class(): the attribute that most have; NULL: none.
 */
void html_open(struct html *h, const char *name);
void html_attr(struct html *h, const char *name, const char *value);
void html_attr_number(struct html *h, const char *name, uint64_t value);
void html_class(struct html *h, const char *name);

/* html_text() - any bytes: what is no text is escaped as in C, and then as in HTML. */
void html_text(struct html *h, const char *text);
void html_close(struct html *h);

/* html_leaf() - an element with a class (or NULL) and text only. */
void html_leaf(struct html *h, const char *name, const char *class_name, const char *text);

#endif
