// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What differs between the cells of an event and between events, each with its explanation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/reasons/reasons.h"
#include "loader/tools/report/why/differs.h"

/* Return the member of "differences" for @d, of @event, or NULL between events. */
static struct json_object *entry(const struct difference *d, struct json_object *event)
{
	const struct explanation *why = explanation_find(d);
	const struct reason *page = why ? reason_find(why->code) : NULL;
	const char *name = doc_text(event, "event"), *prog = doc_text(event, "program");
	struct json_object *json = json_object_new_object(), *answers = json_object_new_object();
	bool ok = answers && doc_add(json, "s", "event", event && !name ? "" : name) &&
		  (!prog || doc_add(json, "s", "program", prog));

	/* The names of cells may be freed before the answers are: they are copied. */
	for (unsigned int i = 0; ok && i < d->cells->nr; i++) {
		struct json_object *answer;

		if (!(d->row->has & 1u << i))
			continue;
		answer = json_object_new_string(d->row->answer[i]);
		ok = answer && !json_object_object_add(answers, d->cells->list[i].name, answer);
	}
	ok = doc_add(ok ? json : NULL, "sssjsss", "section", d->row->section, "row", d->row->id,
		     "what", d->row->what, "answers", answers,
		     "explained", why ? why->code : NULL, "text", page ? page->means : NULL,
		     "chapter", why ? why->chapter : NULL);
	return doc_finish(json, ok);
}

/* --- between the cells of one event --- */

static bool add_section(struct json_object *list, const struct cells *cells,
			struct json_object *event, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	struct row row;
	const struct difference d = { cells, &row, false };

	for (size_t i = 0; i < doc_len(rows) && doc_len(list) < DIFFERENCES_MAX; i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		if (row_differs(&row) && !value_append(list, entry(&d, event)))
			return false;
	}
	return true;
}

static bool add_event(struct json_object *list, struct json_object *event,
		      struct json_object *sections)
{
	struct cells cells;

	cells_read(&cells, event);
	for (size_t i = 0; i < doc_len(sections); i++)
		if (!add_section(list, &cells, event, doc_at(sections, i)))
			return false;
	return true;
}

/* --- between events --- */

/* Events take the place of cells: the columns are events, "opened" by their kind. */
struct between {
	struct json_object *sections[CELLS_MAX];	/* owned, by event */
	struct cells of[CELLS_MAX];
	struct cells columns;
	struct row row;
	char *text[CELLS_MAX];		/* owned: the answers of the row */
	bool mixed;	/* cells of some event differ by how it is opened: that is said there */
};

static struct json_object *find_row(struct json_object *sections, const char *section,
				    const char *id, struct json_object **in)
{
	for (size_t i = 0; i < doc_len(sections); i++) {
		struct json_object *rows = doc_array(doc_at(sections, i), "rows");

		if (!doc_is(doc_at(sections, i), "id", section))
			continue;
		for (size_t j = 0; j < doc_len(rows); j++) {
			*in = doc_at(sections, i);
			if (doc_is(doc_at(rows, j), "id", id))
				return doc_at(rows, j);
		}
	}
	return NULL;
}

/* "runs", or "*+ioctl: stops, *+link: runs". False: no memory. */
static bool profile(struct between *b, unsigned int event, const struct row *row)
{
	struct row_group groups[CELLS_MAX];
	const unsigned int nr = row_groups(row, groups);
	char name[CELLS_NAME];
	size_t size = 0;
	FILE *to;
	const struct difference within = { &b->of[event], row, false };

	b->text[event] = NULL;
	if (!nr)
		return true;
	b->mixed |= nr > 1 && !differs_by_bind(&within);
	to = open_memstream(&b->text[event], &size);
	if (!to)
		return false;
	for (unsigned int i = 0; i < nr; i++) {
		if (nr > 1)
			fprintf(to, "%s%s: ", i ? ", " : "",
				cells_name(&b->of[event], groups[i].set, name, sizeof(name)));
		fputs(groups[i].answer, to);
	}
	if (fclose(to))
		return false;
	b->row.answer[event] = b->text[event];
	b->row.has |= 1u << event;
	return true;
}

static bool compare_row_of(struct json_object *list, struct between *b, const struct row *first)
{
	const struct difference d = { &b->columns, &b->row, true };
	struct json_object *section, *json;
	bool ok = true;
	struct row row;

	b->mixed = false;
	b->row = (struct row){ .section = first->section, .id = first->id, .what = first->what };
	for (unsigned int i = 0; ok && i < b->columns.nr; i++) {
		json = find_row(b->sections[i], first->section, first->id, &section);
		memset(&row, 0, sizeof(row));
		if (json)
			row_read(&row, &b->of[i], section, json);
		ok = profile(b, i, &row);
	}
	if (ok && !b->mixed && row_differs(&b->row) && doc_len(list) < DIFFERENCES_MAX)
		ok = value_append(list, entry(&d, NULL));
	for (unsigned int i = 0; i < b->columns.nr; i++) {
		free(b->text[i]);
		b->text[i] = NULL;
	}
	return ok;
}

/* Times and calls are of the event; what it answers is of its kind. */
static bool is_compared(const struct row *row)
{
	return !row->timed && !row->is_note && strcmp(row->section, "calls") &&
	       strcmp(row->id, "outcome");
}

/* Another program on the same event is compared with nothing. */
static bool is_column(const struct between *b, const char *name)
{
	for (unsigned int i = 0; i < b->columns.nr; i++)
		if (!strcmp(b->columns.list[i].name, name))
			return true;
	return false;
}

/* Each row once: with the first event that has it. */
static bool add_between(struct json_object *list, struct between *b)
{
	struct json_object *in;
	struct row row;

	for (unsigned int e = 0; e < b->columns.nr; e++) {
		for (size_t i = 0; i < doc_len(b->sections[e]); i++) {
			struct json_object *section = doc_at(b->sections[e], i),
					   *rows = doc_array(section, "rows");

			for (size_t j = 0; j < doc_len(rows); j++) {
				bool seen = false;

				row_read(&row, &b->of[e], section, doc_at(rows, j));
				for (unsigned int k = 0; k < e && !seen; k++)
					seen = find_row(b->sections[k], row.section, row.id, &in);
				if (!seen && is_compared(&row) && !compare_row_of(list, b, &row))
					return false;
			}
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
		if (nr == CELLS_MAX || !name || is_column(b, name)) {
			json_object_put(sections);
			continue;
		}
		b->sections[nr] = sections;
		cells_read(&b->of[nr], event);
		b->columns.list[nr] = (struct cell){ name, doc_text(event, "kind"), NULL, event };
		b->columns.nr++;
	}
	return add_between(list, b);
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
