/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of the text report. All text from the document is escaped, because a terminal would
 * interpret it.
 */
#ifndef PLOAD_COMPARE_REPORT_TEXT_TEXT_H
#define PLOAD_COMPARE_REPORT_TEXT_TEXT_H

#include <stdio.h>

#include "loader/compare/report/report_internal.h"

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

/* A column of a table, with its text in one row. */
struct text_column {
	const char *text;
	unsigned int width;
};

#define TEXT_COLUMNS_MAX 5	/* a label and four cells */
#define GAP 2			/* between two columns */

/**
 * text_row() - Print a row of @nr columns, of which the first begins at column @indent.
 *
 * A text that is longer than its column continues in it on the following lines.
 */
void text_row(FILE *file, unsigned int indent, const struct text_column *columns, unsigned int nr);

/* A text built from parts; large enough for what pload writes, otherwise truncated. */
struct text_parts {
	char text[2048];
	size_t len;
};

void text_add(struct text_parts *parts, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* --- text_table.c --- */

/* A table that shows the cells [from, to), or as many as fit into a line. */
struct text_table {
	const struct cells *cells;
	const char *title;
	unsigned int from, to, label, width;
	bool whole;	/* all cells are shown even if their answers are equal */
};

/**
 * table_begin() - Begin a table of @cells, all of which are borrowed.
 * table_fit() - Take a row into account that will be printed; before the first table_head().
 * table_head() - Print the names of the columns.
 * table_row() - Print a row of cells [from, to), whose label begins at column @indent.
 * table_next() - Go on to the cells that did not fit beside these; return false if there are none.
 */
void table_begin(struct text_table *t, const struct cells *cells, const char *title);
void table_fit(struct text_table *t, unsigned int indent, const struct row *row);
void table_head(FILE *file, struct text_table *t);
void table_row(FILE *file, const struct text_table *t, unsigned int indent, const struct row *row);
bool table_next(struct text_table *t);

/* text_reasons() - Print the causes for which cells did not fire, each once. */
void text_reasons(FILE *file, const struct cells *cells, struct json_object *measured);

/* --- text_table.c, text_calls.c, text_rows.c, text_differences.c; false: no memory --- */

void text_section(FILE *file, const struct cells *cells, struct json_object *section);

/* text_rows() - Print the rows of @event that differ; @sections is from rows_sections(). */
bool text_rows(FILE *file, const struct cells *cells, struct json_object *doc,
	       struct json_object *event, struct json_object *sections);
void text_overview(FILE *file, struct json_object *events);
bool text_calls(FILE *file, const struct cells *cells);
/* text_differences() - Print the differences; @between: only those between events. */
bool text_differences(FILE *file, struct json_object *doc, bool between);
void text_against(FILE *file, struct json_object *against);

#endif
