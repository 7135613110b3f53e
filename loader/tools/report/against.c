// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What has changed between two documents: answers, calls, and times that are far apart. */
#include <stdio.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/report/report_internal.h"

/* The event of @doc that is like @event, with the same program. */
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

static struct json_object *find_by_id(struct json_object *list, const char *id)
{
	for (size_t i = 0; i < doc_len(list); i++)
		if (doc_is(doc_at(list, i), "id", id))
			return doc_at(list, i);
	return NULL;
}

/* One row of one event, then and now. A cell of @has only is in no more than one of them. */
struct pair {
	const char *event;
	const struct cells *then_cells, *now_cells;
	const struct row *then, *now;
};

static bool add_change(struct json_object *list, const struct pair *p, const char *cell,
		       const char *then, const char *now, bool time)
{
	struct json_object *c = json_object_new_object();
	const struct row *row = p->now ? p->now : p->then;
	const bool ok = doc_add(c, "sssssssb", "event", p->event, "section", row->section, "row",
				row->id, "what", row->what, "cell", cell, "then", then, "now", now,
				"time", time);

	return value_append(list, doc_finish(c, ok));
}

static bool far_apart(uint64_t a, uint64_t b)
{
	const double x = a ? a : 1, y = b ? b : 1;

	return x >= REPORT_AGAINST_FACTOR * y || y >= REPORT_AGAINST_FACTOR * x;
}

static int find_cell(const struct cells *cells, const char *name)
{
	for (unsigned int i = 0; i < cells->nr; i++)
		if (!strcmp(cells->list[i].name, name))
			return i;
	return -1;
}

/* The errno is part of an answer: refused for another reason is a change. */
static void answer_of(const struct row *row, int i, char *buf, size_t size)
{
	const bool why = row->reason[i] && !strcmp(row->id, "outcome");

	snprintf(buf, size, "%s%s%s%s", row->answer[i], why ? " [" : "",
		 why ? row->reason[i] : "", why ? "]" : "");
}

static bool compare_cell(struct json_object *list, const struct pair *p, int then, int now)
{
	const bool had = then >= 0 && p->then && p->then->has & 1u << then,
		   has = now >= 0 && p->now && p->now->has & 1u << now;
	const char *name = now >= 0 ? p->now_cells->list[now].name : p->then_cells->list[then].name;
	const struct row *row = p->now ? p->now : p->then;
	char was[1024] = "", is[1024] = "";

	if (row->is_note || (!had && !has))
		return true;
	if (had && has && p->then->timed & 1u << then && p->now->timed & 1u << now)
		return p->then->p99[then] == TIME_UNSURE || p->now->p99[now] == TIME_UNSURE ||
		       !far_apart(p->then->ns[then], p->now->ns[now]) ||
		       add_change(list, p, name, p->then->answer[then], p->now->answer[now], true);
	if (had)
		answer_of(p->then, then, was, sizeof(was));
	if (has)
		answer_of(p->now, now, is, sizeof(is));
	return !strcmp(was, is) ||
	       add_change(list, p, name, had ? was : NULL, has ? is : NULL, false);
}

static bool compare_rows(struct json_object *list, const struct pair *p)
{
	bool ok = true;

	for (unsigned int i = 0; ok && i < p->now_cells->nr; i++)
		ok = compare_cell(list, p, find_cell(p->then_cells, p->now_cells->list[i].name), i);
	for (unsigned int i = 0; ok && i < p->then_cells->nr; i++)
		if (find_cell(p->now_cells, p->then_cells->list[i].name) < 0)
			ok = compare_cell(list, p, i, -1);
	return ok;
}

/* Rows of @a's section; those that @b has, too, are compared when @a is what is now. */
static bool compare_section(struct json_object *list, struct pair *p, struct json_object *a,
			    struct json_object *b, bool a_is_now)
{
	struct json_object *rows = doc_array(a, "rows"), *others = doc_array(b, "rows");
	struct row row, other;
	bool ok = true;

	for (size_t i = 0; ok && i < doc_len(rows); i++) {
		const char *id = doc_text(doc_at(rows, i), "id");
		struct json_object *json = id ? find_by_id(others, id) : NULL;

		if (!id || (json && !a_is_now))
			continue;
		row_read(&row, a_is_now ? p->now_cells : p->then_cells, a, doc_at(rows, i));
		if (json)
			row_read(&other, a_is_now ? p->then_cells : p->now_cells, b, json);
		p->now = a_is_now ? &row : NULL;
		p->then = a_is_now ? (json ? &other : NULL) : &row;
		ok = compare_rows(list, p);
	}
	return ok;
}

/* Sections that only one of them has were not measured by the other: --only, another pload. */
static bool compare_event(struct json_object *list, const char *name, struct json_object *then,
			  struct json_object *now)
{
	struct json_object *was = rows_sections(then), *is = rows_sections(now);
	struct cells then_cells, now_cells;
	struct pair p = { name, &then_cells, &now_cells, NULL, NULL };
	bool ok = was && is;

	cells_read(&then_cells, then);
	cells_read(&now_cells, now);
	for (size_t i = 0; ok && i < doc_len(is); i++) {
		const char *id = doc_text(doc_at(is, i), "id");

		if (id && find_by_id(was, id))
			ok = compare_section(list, &p, doc_at(is, i), find_by_id(was, id), true);
	}
	for (size_t i = 0; ok && i < doc_len(was); i++) {
		const char *id = doc_text(doc_at(was, i), "id");

		if (id && find_by_id(is, id))
			ok = compare_section(list, &p, doc_at(was, i), find_by_id(is, id), false);
	}
	json_object_put(was);
	json_object_put(is);
	return ok;
}

/* The names of events that @doc has and @other has not. */
static struct json_object *only(struct json_object *doc, struct json_object *other)
{
	struct json_object *names = json_object_new_array(), *events = doc_array(doc, "events");
	bool ok = names;

	for (size_t i = 0; ok && i < doc_len(events); i++) {
		const char *name = doc_text(doc_at(events, i), "event");

		if (name && !find_event(other, doc_at(events, i)))
			ok = value_append(names, json_object_new_string(name));
	}
	return doc_finish(names, ok);
}

static struct json_object *changes(struct json_object *then, struct json_object *now)
{
	struct json_object *list = json_object_new_array(), *events = doc_array(now, "events");
	bool ok = list;

	for (size_t i = 0; ok && i < doc_len(events); i++) {
		const char *name = doc_text(doc_at(events, i), "event");
		struct json_object *was = find_event(then, doc_at(events, i));

		if (was)
			ok = compare_event(list, name, was, doc_at(events, i));
	}
	return doc_finish(list, ok);
}

struct json_object *report_against(struct json_object *then, struct json_object *now)
{
	struct json_object *against = json_object_new_object(), *kernel = doc_object(then, "kernel");
	const bool ok = (kernel ? doc_add(against, "j", "kernel", json_object_get(kernel)) :
				  doc_add(against, "s", "kernel", NULL)) &&
			doc_add(against, "jjj", "changes", changes(then, now),
				"only_then", only(then, now), "only_now", only(now, then));

	return doc_finish(against, ok);
}
