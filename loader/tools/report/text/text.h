/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of the text report. All text of the document is escaped, as a terminal may obey it. */
#ifndef PLOAD_TOOLS_REPORT_TEXT_TEXT_H
#define PLOAD_TOOLS_REPORT_TEXT_TEXT_H

#include <stdio.h>

#include "loader/tools/report/report_internal.h"

#define COLUMNS 100

/* --- text_words.c --- */

/* text_width() - Return the columns that the escaped @s takes. */
unsigned int text_width(const char *s);

/* text_cell() - Print @s, truncated with ".." to @width columns, and padded unless @last. */
void text_cell(FILE *file, const char *s, unsigned int width, bool last);

/**
 * text_paragraph() - Print the words of @s and a newline, wrapped at COLUMNS.
 * @at: the current column of the line.
 * @indent: the column at which further lines begin.
 *
 * A word that does not fit into a line is broken.
 */
void text_paragraph(FILE *file, unsigned int at, unsigned int indent, const char *s);

/* text_line() - Print @s and a newline from column @at on, truncated with "..". */
void text_line(FILE *file, unsigned int at, const char *s);

/* A text that is built from parts; it is long enough for what pload writes, else truncated. */
struct text_parts {
	char text[2048];
	size_t len;
};

void text_add(struct text_parts *parts, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- text_table.c, text_calls.c, text_differences.c; false: no memory --- */

void text_section(FILE *file, const struct cells *cells, struct json_object *section);
void text_overview(FILE *file, struct json_object *events);
bool text_calls(FILE *file, const struct cells *cells);
bool text_differences(FILE *file, struct json_object *doc);
void text_against(FILE *file, struct json_object *against);

#endif
