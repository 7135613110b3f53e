/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pieces of the text report: words that are escaped, and lines that end in time. */
#ifndef PLOAD_TOOLS_REPORT_TEXT_TEXT_H
#define PLOAD_TOOLS_REPORT_TEXT_TEXT_H

#include <stdio.h>

#include "loader/tools/report/report_internal.h"

#define COLUMNS 100

/* text_width() - the columns that @s takes when it is escaped. */
unsigned int text_width(const char *s);

/* text_cell() - @s, escaped, cut to @width columns with "..", and filled up to it unless @last. */
void text_cell(FILE *file, const char *s, unsigned int width, bool last);

/*
 * text_paragraph() - words of @s, escaped, from column @at on (where the line is now) to COLUMNS;
 * lines that follow begin at column @indent. A word too long for a line is broken. Ends the line.
 */
void text_paragraph(FILE *file, unsigned int at, unsigned int indent, const char *s);

/* text_line() - one line of @s from column @at on, cut with "..". Ends the line. */
void text_line(FILE *file, unsigned int at, const char *s);

/* text_table.c: tables of an event, as many columns beside each other as fit. */
void text_section(FILE *file, const struct cells *cells, struct json_object *section);

/* text_overview(): events below each other, with what became of each cell. */
void text_overview(FILE *file, struct json_object *events);

/* text_calls.c, text_differences.c */
void text_calls(FILE *file, const struct cells *cells);
void text_differences(FILE *file, struct json_object *doc);
void text_against(FILE *file, struct json_object *against);

#endif
