// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the rows of an event in which its cells differ, below their explanation. */
#include <stdlib.h>
#include <string.h>

#include "loader/compare/report/text/text.h"

/* The differences of one event. */
struct rows {
	struct json_object *all;	/* borrowed: the differences of the document */
	size_t *list, nr;	/* owned: the indices in @all of those of the event */
	bool *done;		/* owned, for each of @list */
};

/* A row of an event that has no program, or of any program with this name. */
static bool is_of(struct json_object *difference, struct json_object *event)
{
	const char *name = doc_text(event, "event"), *prog = doc_text(event, "program");

	return doc_is(difference, "event", name ? name : "") &&
	       (!prog || doc_is(difference, "program", prog));
}

static bool find_rows(struct rows *rows, struct json_object *doc, struct json_object *event)
{
	rows->all = doc_array(doc, "differences");
	rows->list = calloc(doc_len(rows->all) + 1, sizeof(*rows->list));
	rows->done = calloc(doc_len(rows->all) + 1, sizeof(*rows->done));
	for (size_t i = 0; rows->list && i < doc_len(rows->all); i++)
		if (is_of(doc_at(rows->all, i), event))
			rows->list[rows->nr++] = i;
	return rows->list && rows->done;
}

static void read_row(struct row *row, const struct cells *cells, struct json_object *difference)
{
	struct json_object *answers = doc_object(difference, "answers");
	const char *what = doc_text(difference, "what");

	*row = (struct row){ .what = what ? what : "" };
	for (unsigned int i = 0; i < cells->nr; i++) {
		row->answer[i] = doc_text(answers, cells->list[i].name);
		row->has |= row->answer[i] ? 1u << i : 0;
	}
}

/* Print an explanation's sentence the first time, and afterwards only its code. */
static void print_why(FILE *file, const struct rows *rows, size_t i)
{
	struct json_object *d = doc_at(rows->all, i);
	const char *text = doc_text(d, "text"), *code = doc_text(d, "explained");
	struct text_parts line = { .len = 0 };
	bool is_first = true;

	for (size_t j = 0; code && is_first && j < i; j++)
		is_first = !doc_is(doc_at(rows->all, j), "explained", code);
	if (!code)
		text_add(&line, "Unexplained: no explanation fits these answers.");
	else if (is_first)
		text_add(&line, "%s [%s]", text ? text : "", code);
	else
		text_add(&line, "[%s]", code);
	fputs("  ", file);
	text_paragraph(file, 2, 2, line.text);
}

static void print_table(FILE *file, const struct text_table *t, const struct rows *rows)
{
	struct row row;

	memset(rows->done, 0, rows->nr * sizeof(*rows->done));
	for (size_t i = 0; i < rows->nr; i++) {
		const char *code = doc_text(doc_at(rows->all, rows->list[i]), "explained");

		if (rows->done[i])
			continue;
		print_why(file, rows, rows->list[i]);
		for (size_t j = i; j < rows->nr; j++) {
			struct json_object *d = doc_at(rows->all, rows->list[j]);
			const char *other = doc_text(d, "explained");

			if (code ? !other || strcmp(code, other) : other != NULL)
				continue;
			rows->done[j] = true;
			read_row(&row, t->cells, d);
			table_row(file, t, 4, &row);
		}
	}
}

static size_t count_rows(struct json_object *sections)
{
	size_t nr = 0;

	for (size_t i = 0; i < doc_len(sections); i++)
		nr += doc_len(doc_array(doc_at(sections, i), "rows"));
	return nr;
}

bool text_rows(FILE *file, const struct cells *cells, struct json_object *doc,
	       struct json_object *event, struct json_object *sections)
{
	struct rows rows = { 0 };
	const bool ok = find_rows(&rows, doc, event);
	struct text_table t;
	char title[80];
	struct row row;

	snprintf(title, sizeof(title), "%zu of %zu rows differ", rows.nr, count_rows(sections));
	table_begin(&t, cells, title);
	for (size_t i = 0; i < rows.nr; i++) {
		read_row(&row, cells, doc_at(rows.all, rows.list[i]));
		table_fit(&t, 4, &row);
	}
	if (ok && !rows.nr)
		fprintf(file, "  %s\n", title);
	else if (ok)
		do {
			table_head(file, &t);
			print_table(file, &t, &rows);
		} while (table_next(&t));
	if (cells->left_out)
		fprintf(file, "    and %u cells that are not shown\n", cells->left_out);
	free(rows.list);
	free(rows.done);
	return ok;
}
