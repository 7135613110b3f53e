// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the tables of an event, with a column for each cell, and the overview of all events. */
#include <string.h>

#include "loader/tools/report/text/text.h"

#define LABEL_MIN 20
#define GAP 2
#define COLUMN_MIN 10
#define COLUMN_MAX 20

/* The layout of a table that shows the cells [from, to). */
struct columns {
	unsigned int from, to, label, width;
	bool stacked;	/* names of cells take two lines */
	bool whole;	/* all cells are shown even if their answers are equal */
};

static unsigned int larger(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* Return true if all cells have one answer, which is printed once. */
static bool is_alike(const struct cells *cells, const struct row *row)
{
	struct row_group groups[CELLS_MAX];

	return cells->nr > 1 && row->has == cells_all(cells) && row_groups(row, groups) == 1;
}

/* Columns are as wide as the answers; labels are truncated if there is not enough room. */
static struct columns lay_out(const struct cells *cells, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	const char *title = doc_text(section, "title");
	unsigned int answer = COLUMN_MIN, name = 0;
	unsigned int label = larger(LABEL_MIN, title ? text_width(title) : 0);
	struct columns c = { .whole = doc_is(section, "id", "measured") };
	struct row row;

	for (size_t i = 0; i < doc_len(rows); i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		label = larger(label, text_width(row.what));
		for (unsigned int j = 0; (c.whole || !is_alike(cells, &row)) && j < cells->nr; j++)
			if (row.answer[j])
				answer = larger(answer, text_width(row.answer[j]));
	}
	for (unsigned int i = 0; i < cells->nr; i++)
		name = larger(name, text_width(cells->list[i].name));
	c.width = answer < COLUMN_MAX ? answer : COLUMN_MAX;
	c.to = cells->nr < 4 ? cells->nr : 4;
	c.label = COLUMNS - 2 - c.to * (c.width + GAP);
	if (label < c.label) {
		c.width += (c.label - label) / c.to;
		c.width = c.width < COLUMN_MAX ? c.width : COLUMN_MAX;
		c.label = label;
	}
	c.stacked = name > c.width;
	return c;
}

static void print_row(FILE *file, const struct columns *c, const struct cells *cells,
		      const struct row *row)
{
	unsigned int last = c->from;

	fputs("  ", file);
	text_cell(file, row->what, c->label, false);
	fprintf(file, "%*s", GAP, "");
	if (!c->whole && is_alike(cells, row)) {
		text_cell(file, row->answer[0], COLUMNS - 10 - c->label, true);
		fputs(cells->nr > 2 ? " (all)\n" : " (both)\n", file);
		return;
	}
	for (unsigned int i = c->from; i < c->to; i++)
		if (row->answer[i])
			last = i;
	for (unsigned int i = c->from; i <= last; i++) {
		text_cell(file, row->answer[i] ? row->answer[i] : "-", c->width, i == last);
		fprintf(file, "%*s", i == last ? 0 : GAP, "");
	}
	putc('\n', file);
}

/* Print "type+ioctl", or if that is too long "type" and "+ioctl" below it. */
static void print_head(FILE *file, const struct columns *c, const struct cells *cells,
		       const char *title)
{
	for (int line = 0; line <= c->stacked; line++) {
		fputs("  ", file);
		text_cell(file, line ? "" : title, c->label, false);
		for (unsigned int i = c->from; i < c->to; i++) {
			const char *name = cells->list[i].name;
			const size_t open = strcspn(name, "+");
			char part[CELLS_NAME];

			snprintf(part, sizeof(part), "%.*s",
				 c->stacked && !line ? (int)open : (int)sizeof(part) - 1,
				 line ? name + open : name);
			fprintf(file, "%*s", GAP, "");
			text_cell(file, part, c->width, i + 1 == c->to);
		}
		putc('\n', file);
	}
}

/* Print the causes for which cells did not fire, each once. */
static void print_reasons(FILE *file, const struct cells *cells, const struct row *row)
{
	struct row why = { 0 };
	struct row_group groups[CELLS_MAX];
	char name[CELLS_NAME], line[512];
	unsigned int nr;

	for (unsigned int i = 0; i < cells->nr; i++) {
		why.answer[i] = row->detail[i] && row->reason[i] ? row->detail[i] : NULL;
		why.has |= why.answer[i] ? 1u << i : 0;
	}
	nr = row_groups(&why, groups);
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int first = 0;

		while (!(groups[i].set & 1u << first))
			first++;
		snprintf(line, sizeof(line), "%s: %s [%s]",
			 cells_name(cells, groups[i].set, name, sizeof(name)), groups[i].answer,
			 row->reason[first]);
		fputs("    ", file);
		text_paragraph(file, 4, 6, line);
	}
}

void text_section(FILE *file, const struct cells *cells, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	const char *title = doc_text(section, "title");
	struct columns c;
	struct row row;

	if (!doc_len(rows) || !cells->nr)
		return;
	c = lay_out(cells, section);
	while (c.from < cells->nr) {
		print_head(file, &c, cells, title ? title : "");
		for (size_t i = 0; i < doc_len(rows); i++) {
			row_read(&row, cells, section, doc_at(rows, i));
			if (row.has && (!c.from || c.whole || !is_alike(cells, &row)))
				print_row(file, &c, cells, &row);
		}
		c.from = c.to;
		c.to = c.to + 4 < cells->nr ? c.to + 4 : cells->nr;
	}
	for (size_t i = 0; i < doc_len(rows); i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		if (!strcmp(row.id, "outcome"))
			print_reasons(file, cells, &row);
	}
	if (cells->left_out)
		fprintf(file, "    and %u cells that are not shown\n", cells->left_out);
}

/* --- the overview --- */

#define EVENT_WIDTH 26
#define OUTCOME_WIDTH 16
#define OUTCOMES ((COLUMNS - 2 - EVENT_WIDTH) / (OUTCOME_WIDTH + 2))

static bool same_names(const struct cells *a, const struct cells *b)
{
	for (unsigned int i = 0; a->nr == b->nr && i < a->nr; i++)
		if (strcmp(a->list[i].name, b->list[i].name))
			return false;
	return a->nr == b->nr;
}

static void print_outcomes(FILE *file, const struct cells *cells, const char *name, bool is_head)
{
	const unsigned int nr = cells->nr < OUTCOMES ? cells->nr : OUTCOMES;

	fputs("  ", file);
	text_cell(file, name ? name : "", EVENT_WIDTH, !nr);
	for (unsigned int i = 0; i < nr; i++) {
		const char *outcome = doc_text(cells->list[i].json, "outcome");

		fputs("  ", file);
		text_cell(file, is_head ? cells->list[i].name : outcome ? outcome : "-",
			  OUTCOME_WIDTH, i + 1 == nr);
	}
	putc('\n', file);
}

void text_overview(FILE *file, struct json_object *events)
{
	struct cells cells, last;

	for (size_t i = 0; i < doc_len(events); i++) {
		cells_read(&cells, doc_at(events, i));
		if (!i || !same_names(&cells, &last))
			print_outcomes(file, &cells, "", true);
		print_outcomes(file, &cells, doc_text(doc_at(events, i), "event"), false);
		last = cells;
	}
}
