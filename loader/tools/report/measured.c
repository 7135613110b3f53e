// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converts the measurements in the cells of an event to rows, like those of its sections. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/report/report_internal.h"

/* The answer of one cell in one row. */
struct place {
	char answer[64];	/* "": none */
	char detail[160];
	bool timed;
	uint64_t ns, p99;
};

static void outcome(struct json_object *cell, const char *key, struct place *p)
{
	const char *text = doc_text(cell, "outcome"),
		   *why = doc_text(doc_get(cell, "error"), "text");

	(void)key;
	snprintf(p->answer, sizeof(p->answer), "%s", text ? text : "");
	snprintf(p->detail, sizeof(p->detail), "%s", why ? why : "");
}

/* "64 / 64": runs for this task, and how often it did the work. */
static void runs(struct json_object *cell, const char *key, struct place *p)
{
	struct json_object *r = doc_object(cell, "runs");
	uint64_t units, own, others;

	(void)key;
	if (!doc_number(r, "own", &own))
		return;
	if (doc_number(r, "units", &units) && units)
		snprintf(p->answer, sizeof(p->answer), "%" PRIu64 " / %" PRIu64, own, units);
	else
		snprintf(p->answer, sizeof(p->answer), "%" PRIu64, own);
	if (doc_number(r, "others", &others) && others)
		snprintf(p->detail, sizeof(p->detail), "and %" PRIu64 " in other tasks", others);
}

static void cookie(struct json_object *cell, const char *key, struct place *p)
{
	struct json_object *c = doc_object(cell, "cookie");
	const char *given = doc_text(c, "given"), *seen = doc_text(c, "seen");

	(void)key;
	if (!seen)
		return;
	if (!strtoull(seen, NULL, 0))
		snprintf(p->answer, sizeof(p->answer), "0");
	else if (given && !strcmp(given, seen))
		snprintf(p->answer, sizeof(p->answer), "as given");
	else
		snprintf(p->answer, sizeof(p->answer), "%.40s", seen);
	snprintf(p->detail, sizeof(p->detail), "given %.40s, read %.40s", given ? given : "none",
		 seen);
}

static void timed(struct place *p, uint64_t ns)
{
	char text[TIME_TEXT];

	p->timed = true;
	p->ns = p->p99 = ns;
	snprintf(p->answer, sizeof(p->answer), "%s", time_text(ns, text));
}

static void time_of_step(struct json_object *cell, const char *step, struct place *p)
{
	struct json_object *t = doc_object(doc_get(cell, "times"), step);
	char text[TIME_TEXT];
	uint64_t ns, p99, rounds;

	if (!doc_number(t, "median_ns", &ns))
		return;
	timed(p, ns);
	if (doc_number(t, "rounds", &rounds) && rounds < REPORT_TIME_ROUNDS)
		p->p99 = TIME_UNSURE;
	if (p->p99 == TIME_UNSURE || !doc_number(t, "p99_ns", &p99))
		return;
	p->p99 = p99;
	snprintf(p->detail, sizeof(p->detail), "99 of 100 rounds within %s", time_text(p99, text));
}

static void cost(struct json_object *cell, const char *key, struct place *p)
{
	struct json_object *c = doc_object(cell, "cost");
	const char *unit = doc_text(c, "unit");
	uint64_t ns;

	if (!doc_number(c, key, &ns))
		return;
	timed(p, ns);
	/* One mean without a distribution, which a busy machine may triple. */
	p->p99 = 3 * ns;
	snprintf(p->detail, sizeof(p->detail), "%s", unit ? unit : "");
}

/* The answer is that records and counts exist; their numbers are detail, as they vary. */
static void records(struct json_object *cell, const char *key, struct place *p)
{
	struct json_object *r = doc_object(doc_get(cell, "records"), key);
	uint64_t kept, dropped, counted;
	const bool has = doc_number(r, "kept", &kept), counts = doc_number(r, "counted", &counted);

	if (!has)
		return;
	snprintf(p->answer, sizeof(p->answer), "%s%s", kept ? "kept" : "dropped",
		 !counts ? "" : counted ? ", counted" : ", no count");
	snprintf(p->detail, sizeof(p->detail), "kept %" PRIu64, kept);
	if (doc_number(r, "dropped", &dropped))
		snprintf(p->detail + strlen(p->detail), sizeof(p->detail) - strlen(p->detail),
			 ", dropped %" PRIu64, dropped);
	if (counts)
		snprintf(p->detail + strlen(p->detail), sizeof(p->detail) - strlen(p->detail),
			 ", counted %" PRIu64, counted);
}

static const struct {
	const char *id, *what;
	void (*fill)(struct json_object *cell, const char *key, struct place *p);
	const char *key;	/* the member that @fill reads, if it can read several */
	bool is_note;	/* differs from run to run, and is not compared */
} measured[] = {
	{ "outcome", "outcome", outcome, NULL, false },
	{ "runs", "runs / times worked", runs, NULL, true },
	{ "cookie", "cookie read", cookie, NULL, false },
	{ "open-time", "time to open", time_of_step, "open", false },
	{ "bind-time", "time to bind", time_of_step, "bind", false },
	{ "enable-time", "time to enable", time_of_step, "enable", false },
	{ "detach-time", "time to detach", time_of_step, "detach", false },
	{ "cost-nothing", "work, nothing opened", cost, "nothing_ns", true },
	{ "cost-event", "work, event open", cost, "event_ns", false },
	{ "cost-program", "work, program runs", cost, "program_ns", false },
	{ "returns-0", "returns 0: record", records, "returns_0", false },
	{ "returns-1", "returns 1: record", records, "returns_1", false },
};

static bool add_place(struct json_object *by_cell, const char *name, const struct place *p,
		      struct json_object *error)
{
	struct json_object *json = json_object_new_object();
	const bool ok = doc_add(json, "s", "answer", p->answer) &&
			(!p->detail[0] || doc_add(json, "s", "detail", p->detail)) &&
			(!p->timed || doc_add(json, "nn", "ns", p->ns, "p99_ns", p->p99)) &&
			(!error || doc_add(json, "j", "error", json_object_get(error)));

	/* The name may be freed before the row is: it is copied. */
	if (ok && !json_object_object_add(by_cell, name, json))
		return true;
	json_object_put(json);
	return false;
}

/* Add row @row of the table, unless no cell has an answer. */
static bool add_row(struct json_object *rows, const struct cells *cells, unsigned int row)
{
	struct json_object *by_cell = json_object_new_object(), *json;
	bool ok = by_cell;

	for (unsigned int i = 0; ok && i < cells->nr; i++) {
		struct json_object *cell = cells->list[i].json;
		struct place p = { .answer = "" };

		measured[row].fill(cell, measured[row].key, &p);
		ok = !p.answer[0] || add_place(by_cell, cells->list[i].name, &p,
					       row ? NULL : doc_object(cell, "error"));
	}
	if (!ok || !json_object_object_length(by_cell)) {
		json_object_put(by_cell);
		return ok;
	}
	json = json_object_new_object();
	ok = doc_add(json, "ssbj", "id", measured[row].id, "what", measured[row].what, "note",
		     measured[row].is_note, "cells", by_cell);
	return value_append(rows, doc_finish(json, ok));
}

struct json_object *rows_new(const char *id, const char *title)
{
	struct json_object *section = json_object_new_object();

	return doc_finish(section, doc_add(section, "ssj", "id", id, "title", title, "rows",
					   json_object_new_array()));
}

static struct json_object *measured_section(const struct cells *cells)
{
	struct json_object *section = rows_new("measured", "measured");
	bool ok = section;

	for (unsigned int i = 0; ok && i < sizeof(measured) / sizeof(measured[0]); i++)
		ok = add_row(doc_array(section, "rows"), cells, i);
	return doc_finish(section, ok);
}

struct json_object *rows_sections(struct json_object *event)
{
	struct json_object *sections = json_object_new_array(), *list;
	struct cells cells;
	bool ok;

	cells_read(&cells, event);
	list = doc_array(event, "sections");
	ok = sections && value_append(sections, measured_section(&cells)) &&
	     value_append(sections, calls_section(&cells));
	for (size_t i = 0; ok && i < doc_len(list); i++)
		if (doc_array(doc_at(list, i), "rows"))
			ok = value_append(sections, json_object_get(doc_at(list, i)));
	return doc_finish(sections, ok);
}
