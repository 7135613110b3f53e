// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the tables of an event, with a column for each cell, and the overview of all events. */
#include <string.h>

#include "loader/compare/report/text/text.h"

#define LABEL_MIN 20
#define COLUMN_MIN 10
#define COLUMN_MAX 20
#define COLUMN_NARROW 14
#define CELLS_ABREAST (TEXT_COLUMNS_MAX - 1)

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

void table_begin(struct text_table *t, const struct cells *cells, const char *title)
{
	*t = (struct text_table){ .cells = cells, .title = title, .width = COLUMN_MIN,
				  .label = larger(LABEL_MIN, text_width(title)) };
	table_next(t);
	for (unsigned int i = 0; i < cells->nr; i++)
		t->width = larger(t->width, text_width(cells->list[i].name));
}

void table_fit(struct text_table *t, unsigned int indent, const struct row *row)
{
	t->label = larger(t->label, text_width(row->what) + indent - 2);
	for (unsigned int i = 0; (t->whole || !is_alike(t->cells, row)) && i < t->cells->nr; i++)
		if (row->answer[i])
			t->width = larger(t->width, text_width(row->answer[i]));
}

/*
 * Columns are as wide as the answers, or narrower to leave room for the label; longer text
 * continues on the next line.
 */
static void lay_out(struct text_table *t, unsigned int indent)
{
	const unsigned int nr = t->to, room = COLUMNS - indent;
	unsigned int width = t->width < COLUMN_MAX ? t->width : COLUMN_MAX;

	if (width > COLUMN_NARROW && room - nr * (width + GAP) < t->label)
		width = COLUMN_NARROW;
	if (nr && room - nr * (width + GAP) > t->label)
		width = (room - t->label) / nr - GAP;
	t->width = width < COLUMN_MAX ? width : COLUMN_MAX;
	if (room - nr * (t->width + GAP) < t->label)
		t->label = room - nr * (t->width + GAP);
}

static void put_row(FILE *file, const struct text_table *t, unsigned int indent, const char *label,
		    const char *const *texts)
{
	struct text_column columns[TEXT_COLUMNS_MAX] = { { label, t->label + 2 - indent } };
	const unsigned int nr = t->to - t->from;

	for (unsigned int i = 0; i < nr; i++)
		columns[1 + i] = (struct text_column){ texts[t->from + i], t->width };
	text_row(file, indent, columns, 1 + nr);
}

/* The names of the cells are values of --attach=. Some have a shorter one, such as "= ioctl". */
void table_head(FILE *file, struct text_table *t)
{
	char shorter[CELLS_MAX][CELLS_NAME];
	const char *names[CELLS_MAX], *same[CELLS_MAX];
	bool has_methods = false;

	if (!t->from)
		lay_out(t, 2);
	for (unsigned int i = 0; i < t->cells->nr; i++) {
		const struct cell *cell = &t->cells->list[i];
		const bool differs = cell->attach && strcmp(cell->attach, cell->name);

		snprintf(shorter[i], sizeof(shorter[i]), "= %s", differs ? cell->attach : "");
		same[i] = differs ? shorter[i] : "";
		names[i] = cell->name;
		has_methods |= cell->attach != NULL;
	}
	put_row(file, t, 2, has_methods ? "--attach=" : t->title, names);
	if (has_methods)
		put_row(file, t, 2, t->title, same);
}

void table_row(FILE *file, const struct text_table *t, unsigned int indent, const struct row *row)
{
	const char *texts[CELLS_MAX];
	char all[1024];

	if (!t->whole && is_alike(t->cells, row)) {
		const struct text_column columns[] = { { row->what, t->label + 2 - indent },
						       { all, COLUMNS - 4 - t->label } };

		snprintf(all, sizeof(all), "%s (%s)", row->answer[0],
			 t->cells->nr > 2 ? "all" : "both");
		text_row(file, indent, columns, 2);
		return;
	}
	for (unsigned int i = 0; i < t->cells->nr; i++)
		texts[i] = row->answer[i] ? row->answer[i] : "-";
	put_row(file, t, indent, row->what, texts);
}

bool table_next(struct text_table *t)
{
	t->from = t->to;
	t->to = t->to + CELLS_ABREAST < t->cells->nr ? t->to + CELLS_ABREAST : t->cells->nr;
	return t->from < t->to;
}

void text_reasons(FILE *file, const struct cells *cells, struct json_object *section)
{
	struct json_object *outcome = doc_find(doc_array(section, "rows"), "id", "outcome");
	struct row row, why = { 0 };
	struct row_group groups[CELLS_MAX];
	char name[CELLS_NAME], line[512];
	unsigned int nr;

	row_read(&row, cells, section, outcome);
	for (unsigned int i = 0; i < cells->nr; i++) {
		why.answer[i] = row.detail[i] && row.reason[i] ? row.detail[i] : NULL;
		why.has |= why.answer[i] ? 1u << i : 0;
	}
	nr = row_groups(&why, groups);
	for (unsigned int i = 0; i < nr; i++) {
		unsigned int first = 0;

		while (!(groups[i].set & 1u << first))
			first++;
		snprintf(line, sizeof(line), "%s: %s [%s]",
			 cells_name(cells, groups[i].set, name, sizeof(name)), groups[i].answer,
			 row.reason[first]);
		fputs("    ", file);
		text_paragraph(file, 4, 6, line);
	}
}

void text_section(FILE *file, const struct cells *cells, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	const char *title = doc_text(section, "title");
	struct text_table t;
	struct row row;

	if (!doc_len(rows) || !cells->nr)
		return;
	table_begin(&t, cells, title ? title : "");
	t.whole = doc_is(section, "id", "measured");
	for (size_t i = 0; i < doc_len(rows); i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		table_fit(&t, 2, &row);
	}
	do {
		table_head(file, &t);
		for (size_t i = 0; i < doc_len(rows); i++) {
			row_read(&row, cells, section, doc_at(rows, i));
			if (row.has && (!t.from || t.whole || !is_alike(cells, &row)))
				table_row(file, &t, 2, &row);
		}
	} while (table_next(&t));
	if (cells->left_out)
		fprintf(file, "    and %u cells that are not shown\n", cells->left_out);
}

/* --- the overview --- */

#define EVENT_WIDTH 26
#define OUTCOME_WIDTH 16

static bool same_names(const struct cells *a, const struct cells *b)
{
	for (unsigned int i = 0; a->nr == b->nr && i < a->nr; i++)
		if (strcmp(a->list[i].name, b->list[i].name))
			return false;
	return a->nr == b->nr;
}

static void print_outcomes(FILE *file, const struct cells *cells, const char *name, bool is_head)
{
	const unsigned int nr = cells->nr < CELLS_ABREAST ? cells->nr : CELLS_ABREAST;
	struct text_column columns[TEXT_COLUMNS_MAX] = { { name ? name : "", EVENT_WIDTH } };

	for (unsigned int i = 0; i < nr; i++) {
		const char *outcome = doc_text(cells->list[i].json, "outcome");

		columns[1 + i] = (struct text_column){
			is_head ? cells->list[i].name : outcome ? outcome : "-", OUTCOME_WIDTH
		};
	}
	text_row(file, 2, columns, 1 + nr);
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
