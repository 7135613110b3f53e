// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists the differences between the cells of an event and between events, with explanations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/base/text/text_stream.h"
#include "loader/explain/reasons/reasons.h"
#include "loader/compare/report/why/differs.h"

/* Return the member of "differences" for @d, of @event, or NULL between events. */
static struct json_object *entry(const struct difference *d, struct json_object *event)
{
	const struct explanation *why = explanation_find(d);
	const struct reason *page = why ? reason_find(why->code) : NULL;
	const char *name = doc_text(event, "event"), *prog = doc_text(event, "program");
	struct json_object *json = json_object_new_object(), *answers = json_object_new_object();
	bool ok = true;

	for (unsigned int i = 0; ok && i < d->cells->nr; i++)
		if (d->row->has & 1u << i)
			ok = doc_add_copied(answers, d->cells->list[i].name,
					    json_object_new_string(d->row->answer[i]));
	value_add_string(json, "event", event && !name ? "" : name);
	if (prog)
		value_add_string(json, "program", prog);
	value_add_string(json, "section", d->row->section);
	value_add_string(json, "row", d->row->id);
	value_add_string(json, "what", d->row->what);
	value_add_bool(json, "time", d->row->timed);
	value_add(json, "answers", doc_finish(answers, ok));
	value_add_string(json, "explained", why ? why->code : NULL);
	value_add_string(json, "text", page ? page->means : NULL);
	value_add_string(json, "chapter", why ? why->chapter : NULL);
	return json;
}

/* --- between the cells of one event --- */

static bool add_event(struct json_object *list, struct json_object *event,
		      struct json_object *sections)
{
	struct cells cells;
	struct row row;
	const struct difference d = { &cells, &row, false };

	cells_read(&cells, event);
	for (size_t i = 0; i < doc_len(sections); i++) {
		struct json_object *rows = doc_array(doc_at(sections, i), "rows");

		for (size_t j = 0; j < doc_len(rows) && doc_len(list) < DIFFERENCES_MAX; j++) {
			row_read(&row, &cells, doc_at(sections, i), doc_at(rows, j));
			if (row_differs(&row) && !value_append(list, entry(&d, event)))
				return false;
		}
	}
	return true;
}

/* --- between events --- */

/* Events take the place of cells: each column is an event, whose "open" is its kind. */
struct between {
	struct json_object *sections[CELLS_MAX];	/* owned, for each event */
	struct cells of[CELLS_MAX];
	struct cells columns;
	struct row row;
	char *text[CELLS_MAX];	/* owned: the answers of @row */
	bool is_mixed;	/* cells of an event differ by open, which is a difference of its own */
};

static struct json_object *find_row(struct json_object *sections, const char *section,
				    const char *id)
{
	return doc_find(doc_array(doc_find(sections, "id", section), "rows"), "id", id);
}

/* Set the answer of @event: "runs", or "*+ioctl: stops, *+link: runs". Return false for ENOMEM. */
static bool set_answer(struct between *b, unsigned int event, const struct row *row)
{
	const struct difference within = { &b->of[event], row, false };
	struct row_group groups[CELLS_MAX];
	const unsigned int nr = row_groups(row, groups);
	char name[CELLS_NAME];
	struct text_stream to;

	if (!nr)
		return true;
	b->is_mixed |= nr > 1 && !differs_by_bind(&within);
	if (!text_stream_open(&to))
		return false;
	for (unsigned int i = 0; i < nr; i++) {
		if (nr > 1)
			fprintf(to.file, "%s%s: ", i ? ", " : "",
				cells_name(&b->of[event], groups[i].set, name, sizeof(name)));
		fputs(groups[i].answer, to.file);
	}
	b->text[event] = text_stream_close(&to);
	if (!b->text[event])
		return false;
	b->row.answer[event] = b->text[event];
	b->row.has |= 1u << event;
	return true;
}

static bool compare_row(struct json_object *list, struct between *b, const struct row *first)
{
	const struct difference d = { &b->columns, &b->row, true };
	bool ok = true;
	struct row row;

	b->is_mixed = false;
	b->row = (struct row){ .section = first->section, .id = first->id, .what = first->what };
	for (unsigned int i = 0; ok && i < b->columns.nr; i++) {
		struct json_object *json = find_row(b->sections[i], first->section, first->id);

		if (!json)
			continue;
		row_read(&row, &b->of[i], doc_find(b->sections[i], "id", first->section), json);
		ok = set_answer(b, i, &row);
	}
	if (ok && !b->is_mixed && row_differs(&b->row) && doc_len(list) < DIFFERENCES_MAX)
		ok = value_append(list, entry(&d, NULL));
	for (unsigned int i = 0; i < b->columns.nr; i++)
		free(b->text[i]);
	memset(b->text, 0, sizeof(b->text));
	return ok;
}

/* Times and calls depend on the event, the outcome on the cell: only answers depend on the kind. */
static bool is_compared(const struct row *row)
{
	return !row->timed && !row->is_note && strcmp(row->section, "calls") &&
	       strcmp(row->id, "outcome");
}

/* Compare the rows of column @e that no column before it has. */
static bool add_rows(struct json_object *list, struct between *b, unsigned int e)
{
	struct row row;

	for (size_t i = 0; i < doc_len(b->sections[e]); i++) {
		struct json_object *section = doc_at(b->sections[e], i),
				   *rows = doc_array(section, "rows");

		for (size_t j = 0; j < doc_len(rows); j++) {
			bool seen = false;

			row_read(&row, &b->of[e], section, doc_at(rows, j));
			for (unsigned int k = 0; k < e && !seen; k++)
				seen = find_row(b->sections[k], row.section, row.id);
			if (!seen && is_compared(&row) && !compare_row(list, b, &row))
				return false;
		}
	}
	return true;
}

static bool add_all(struct json_object *list, struct json_object *events, struct between *b)
{
	for (size_t i = 0; i < doc_len(events); i++) {
		struct json_object *event = doc_at(events, i), *sections = rows_sections(event);
		const char *name = doc_text(event, "event");
		const unsigned int nr = b->columns.nr;

		if (!sections || !add_event(list, event, sections)) {
			json_object_put(sections);
			return false;
		}
		/* The same event with another program is no column of its own. */
		if (nr == CELLS_MAX || !name || cells_find(&b->columns, name) >= 0) {
			json_object_put(sections);
			continue;
		}
		b->sections[nr] = sections;
		cells_read(&b->of[nr], event);
		b->columns.list[nr] = (struct cell){
			.name = name, .open = doc_text(event, "kind"), .json = event
		};
		b->columns.nr++;
	}
	for (unsigned int e = 0; e < b->columns.nr; e++)
		if (!add_rows(list, b, e))
			return false;
	return true;
}

struct json_object *report_differences(struct json_object *doc)
{
	struct json_object *list = json_object_new_array();
	struct between *b = calloc(1, sizeof(*b));
	const bool ok = list && b && add_all(list, doc_array(doc, "events"), b);

	for (unsigned int i = 0; b && i < b->columns.nr; i++)
		json_object_put(b->sections[i]);
	free(b);
	return doc_finish(list, ok);
}
