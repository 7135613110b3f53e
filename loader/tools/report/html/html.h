/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of the page. */
#ifndef PLOAD_TOOLS_REPORT_HTML_HTML_H
#define PLOAD_TOOLS_REPORT_HTML_HTML_H

#include "loader/tools/report/html/html_writer.h"
#include "loader/tools/report/report_internal.h"

/* html_style.c: the whole style sheet. */
extern const char html_style[];

/* html_table.c: rows x cells, in a box that scrolls where it is too wide. */
void html_table(struct html *h, const struct cells *cells, struct json_object *section);
void html_overview(struct html *h, struct json_object *events);

/* html_charts.c: bars for the times of @section, and the calls of each cell in order. */
void html_bars(struct html *h, const struct cells *cells, struct json_object *section);
void html_timeline(struct html *h, const struct cells *cells);

/* html_differences.c: each with its sentence, a link to its chapter, and the chapters. */
void html_differences(struct html *h, struct json_object *doc);
void html_against(struct html *h, struct json_object *against);

#endif
