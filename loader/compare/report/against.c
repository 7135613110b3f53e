// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The changes between two documents: answers, calls, and times that are far apart. */
#include <stdio.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/compare/report/report_internal.h"

/* Return the event in @doc with the name and program of @event, or NULL. */
static struct json_object *find_event(struct json_object *doc, struct json_object *event)
{
	struct json_object *events = doc_array(doc, "events");
	const char *name = doc_text(event, "event"), *prog = doc_text(event, "program");

	for (size_t i = 0; name && i < doc_len(events); i++)
		if (doc_is(doc_at(events, i), "event", name) &&
		    (!prog || doc_is(doc_at(events, i), "program", prog)))
			return doc_at(events, i);
	return NULL;
}

/* One event in one of the documents, and the current row of it. */
struct side {
	struct json_object *sections;	/* owned */
	struct cells cells;
	struct row row;
	bool has_row;
};

struct comparison {
	struct json_object *changes;	/* borrowed */
	const char *event;
	struct side then, now;
};

/* Return the index of the cell @name if it has an answer in the current row, or -1. */
static int answering(const struct side *s, const char *name)
{
	const int i = s->has_row ? cells_find(&s->cells, name) : -1;

	return i >= 0 && s->row.has & 1u << i ? i : -1;
}

static bool far_apart(uint64_t a, uint64_t b)
{
	const double x = a ? a : 1, y = b ? b : 1;

	return x >= REPORT_AGAINST_FACTOR * y || y >= REPORT_AGAINST_FACTOR * x;
}

/* The reason code is part of an outcome: a refusal for a different reason is a change. */
static const char *answer_of(const struct row *row, int i, char *buf, size_t size)
{
	const bool has_why = i >= 0 && row->reason[i] && !strcmp(row->id, "outcome");

	if (i < 0)
		return NULL;
	snprintf(buf, size, "%s%s%s%s", row->answer[i], has_why ? " [" : "",
		 has_why ? row->reason[i] : "", has_why ? "]" : "");
	return buf;
}

static bool compare_cell(struct comparison *c, const char *cell)
{
	const int i = answering(&c->then, cell), j = answering(&c->now, cell);
	const struct row *then = &c->then.row, *now = &c->now.row,
			 *row = c->now.has_row ? now : then;
	const bool is_time = i >= 0 && j >= 0 && then->timed & 1u << i && now->timed & 1u << j;
	char was_text[1024], is_text[1024];
	const char *was = answer_of(then, i, was_text, sizeof(was_text)),
		   *is = answer_of(now, j, is_text, sizeof(is_text));
	struct json_object *change;

	if (row->is_note || (!was && !is) || (was && is && !strcmp(was, is) && !is_time))
		return true;
	if (is_time && (then->high[i] == TIME_UNSURE || now->high[j] == TIME_UNSURE ||
			!far_apart(then->ns[i], now->ns[j])))
		return true;
	change = json_object_new_object();
	value_add_string(change, "event", c->event);
	value_add_string(change, "section", row->section);
	value_add_string(change, "row", row->id);
	value_add_string(change, "what", row->what);
	value_add_string(change, "cell", cell);
	value_add_string(change, "then", was);
	value_add_string(change, "now", is);
	value_add_bool(change, "time", is_time);
	return value_append(c->changes, change);
}

static bool compare_row(struct comparison *c)
{
	bool ok = true;

	for (unsigned int i = 0; ok && i < c->now.cells.nr; i++)
		ok = compare_cell(c, c->now.cells.list[i].name);
	for (unsigned int i = 0; ok && i < c->then.cells.nr; i++)
		if (cells_find(&c->now.cells, c->then.cells.list[i].name) < 0)
			ok = compare_cell(c, c->then.cells.list[i].name);
	return ok;
}

/* Read row @id of @section, if it exists. */
static void find_row(struct side *s, struct json_object *section, const char *id)
{
	struct json_object *json = doc_find(doc_array(section, "rows"), "id", id);

	s->has_row = json;
	if (json)
		row_read(&s->row, &s->cells, section, json);
}

/* Compare the rows of @now with those of @then; or the rows that only @then has. */
static bool compare_section(struct comparison *c, struct json_object *then,
			    struct json_object *now, bool only_then)
{
	struct json_object *rows = doc_array(only_then ? then : now, "rows");
	bool ok = true;

	for (size_t i = 0; ok && i < doc_len(rows); i++) {
		const char *id = doc_text(doc_at(rows, i), "id");

		if (!id)
			continue;
		find_row(&c->then, then, id);
		find_row(&c->now, now, id);
		if (!only_then || !c->now.has_row)
			ok = compare_row(c);
	}
	return ok;
}

static bool compare_sections(struct comparison *c, bool only_then)
{
	struct json_object *list = only_then ? c->then.sections : c->now.sections;
	bool ok = true;

	for (size_t i = 0; ok && i < doc_len(list); i++) {
		const char *id = doc_text(doc_at(list, i), "id");
		struct json_object *then = id ? doc_find(c->then.sections, "id", id) : NULL,
				   *now = id ? doc_find(c->now.sections, "id", id) : NULL;

		/*
		 * A section missing from one document was not measured: --only, or another version
		 * of pload.
		 */
		if (then && now)
			ok = compare_section(c, then, now, only_then);
	}
	return ok;
}

static bool side_init(struct side *s, struct json_object *event)
{
	s->sections = rows_sections(event);
	cells_read(&s->cells, event);
	return s->sections;
}

static bool compare_event(struct json_object *changes, struct json_object *then,
			  struct json_object *now)
{
	struct comparison c = { .changes = changes, .event = doc_text(now, "event") };
	const bool ok = side_init(&c.then, then) && side_init(&c.now, now) &&
			compare_sections(&c, false) && compare_sections(&c, true);

	json_object_put(c.then.sections);
	json_object_put(c.now.sections);
	return ok;
}

static struct json_object *changes_of(struct json_object *then, struct json_object *now)
{
	struct json_object *changes = json_object_new_array(), *events = doc_array(now, "events");
	bool ok = changes;

	for (size_t i = 0; ok && i < doc_len(events); i++) {
		struct json_object *was = find_event(then, doc_at(events, i));

		ok = !was || compare_event(changes, was, doc_at(events, i));
	}
	return doc_finish(changes, ok);
}

/* Return the names of the events that are in @doc but not in @other. */
static struct json_object *only_in(struct json_object *doc, struct json_object *other)
{
	struct json_object *names = json_object_new_array(), *events = doc_array(doc, "events");

	for (size_t i = 0; i < doc_len(events); i++) {
		const char *name = doc_text(doc_at(events, i), "event");

		if (name && !find_event(other, doc_at(events, i)))
			value_append(names, json_object_new_string(name));
	}
	return names;
}

struct json_object *report_against(struct json_object *then, struct json_object *now)
{
	struct json_object *against = json_object_new_object(),
			   *kernel = doc_object(then, "kernel");

	if (kernel)
		value_add(against, "kernel", json_object_get(kernel));
	else
		value_add_null(against, "kernel");
	value_add(against, "changes", changes_of(then, now));
	value_add(against, "only_then", only_in(then, now));
	value_add(against, "only_now", only_in(now, then));
	return doc_finish(against, value_is_complete(against));
}
