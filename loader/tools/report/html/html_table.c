// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables of the page: rows of answers, and what became of each event. */
#include <string.h>

#include "loader/tools/report/html/html.h"

static void box(struct html *h, const char *title)
{
	html_open(h, "div");
	html_class(h, "box");
	html_attr(h, "tabindex", "0");	/* so that a keyboard can scroll it */
	html_attr(h, "role", "region");
	html_attr(h, "aria-label", title);
}

/* "type+ioctl", which may be broken before its '+'. */
static void cell_name(struct html *h, const char *name)
{
	const size_t open = strcspn(name, "+");
	char part[CELLS_NAME];

	snprintf(part, sizeof(part), "%.*s", (int)(open < sizeof(part) ? open : sizeof(part) - 1),
		 name);
	html_text(h, part);
	html_open(h, "wbr");
	html_close(h);
	html_text(h, name + strlen(part));
}

/* Names such as PERF_EVENT_IOC_ENABLE may be broken behind each '_'. */
static void label(struct html *h, const char *text)
{
	char part[64];

	while (*text) {
		size_t n = strcspn(text, "_");

		n += text[n] == '_';
		n = n < sizeof(part) ? n : sizeof(part) - 1;
		snprintf(part, sizeof(part), "%.*s", (int)n, text);
		html_text(h, part);
		text += n;
		if (!*text)
			break;
		html_open(h, "wbr");
		html_close(h);
	}
}

static void head(struct html *h, const struct cells *cells, const char *first)
{
	html_open(h, "thead");
	html_open(h, "tr");
	html_open(h, "th");
	html_attr(h, "scope", "col");
	html_text(h, first);
	html_close(h);
	for (unsigned int i = 0; i < cells->nr; i++) {
		html_open(h, "th");
		html_attr(h, "scope", "col");
		cell_name(h, cells->list[i].name);
		html_close(h);
	}
	html_close(h);
	html_close(h);
}

/* Outcomes have colours, and their words say the same. */
static const char *class_of(const char *answer)
{
	static const char *const outcomes[] = { "fires", "silent", "unknown", "absent", "denied",
						"refused" };

	for (unsigned int i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (!strcmp(answer, outcomes[i]))
			return outcomes[i];
	return NULL;
}

static void answer(struct html *h, const char *text, const char *detail)
{
	html_open(h, "td");
	html_class(h, text ? class_of(text) : "soft");
	if (detail)
		html_attr(h, "title", detail);
	html_text(h, text ? text : "-");
	html_close(h);
}

static void row_of(struct html *h, const struct cells *cells, const struct row *row)
{
	struct row_group groups[CELLS_MAX];
	const bool alike = !row->timed && row->has == cells_all(cells) && cells->nr > 1 &&
			   row_groups(row, groups) == 1 && !class_of(row->answer[0]);

	html_open(h, "tr");
	html_class(h, row_differs(row) ? "differs" : NULL);
	html_open(h, "th");
	html_attr(h, "scope", "row");
	label(h, row->what);
	html_close(h);
	if (alike) {
		html_open(h, "td");
		html_class(h, "all");
		html_attr_number(h, "colspan", cells->nr);
		html_text(h, row->answer[0]);
		html_text(h, cells->nr > 2 ? " (all)" : " (both)");
		html_close(h);
	}
	for (unsigned int i = 0; !alike && i < cells->nr; i++)
		answer(h, row->answer[i], row->detail[i]);
	html_close(h);
}

void html_table(struct html *h, const struct cells *cells, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	const char *title = doc_text(section, "title");
	struct row row;

	if (!doc_len(rows) || !cells->nr)
		return;
	box(h, title ? title : "answers");
	html_open(h, "table");
	head(h, cells, "");
	html_open(h, "tbody");
	for (size_t i = 0; i < doc_len(rows); i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		if (row.has)
			row_of(h, cells, &row);
	}
	html_close(h);
	html_close(h);
	html_close(h);
}

/* --- all events: a list of outcomes each --- */

static void overview_row(struct html *h, struct json_object *event, size_t i)
{
	const char *name = doc_text(event, "event");
	struct cells cells;
	char link[32];

	cells_read(&cells, event);
	snprintf(link, sizeof(link), "#event-%zu", i + 1);
	html_open(h, "tr");
	html_open(h, "th");
	html_attr(h, "scope", "row");
	html_open(h, "a");
	html_attr(h, "href", link);
	html_text(h, name ? name : "(no name)");
	html_close(h);
	html_close(h);
	for (unsigned int j = 0; j < cells.nr; j++) {
		const char *outcome = doc_text(cells.list[j].json, "outcome");

		html_open(h, "td");
		html_leaf(h, "span", outcome ? class_of(outcome) : NULL, outcome ? outcome : "-");
		html_open(h, "br");
		html_close(h);
		html_open(h, "span");
		html_class(h, "soft small");
		cell_name(h, cells.list[j].name);
		html_close(h);
		html_close(h);
	}
	html_close(h);
}

void html_overview(struct html *h, struct json_object *events)
{
	box(h, "what became of each event");
	html_open(h, "table");
	html_class(h, "events");
	html_open(h, "tbody");
	for (size_t i = 0; i < doc_len(events); i++)
		overview_row(h, doc_at(events, i), i);
	html_close(h);
	html_close(h);
	html_close(h);
}
