// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Convert the measurements in an event's cells to rows like those of its sections. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/compare/report/report_internal.h"

/* The answer of one cell in one row. */
struct answer {
	char text[64];	/* "": none */
	char detail[160];
	bool timed;
	uint64_t ns, low, high;
};

static void fill_outcome(struct json_object *cell, const char *key, struct answer *a)
{
	const char *text = doc_text(cell, "outcome"),
		   *why = doc_text(doc_get(cell, "error"), "text");

	(void)key;
	snprintf(a->text, sizeof(a->text), "%s", text ? text : "");
	snprintf(a->detail, sizeof(a->detail), "%s", why ? why : "");
}

/* "64 / 64": runs for this task / number of times it did the work. */
static void fill_runs(struct json_object *cell, const char *key, struct answer *a)
{
	struct json_object *r = doc_object(cell, "runs");
	uint64_t units, own, others;

	(void)key;
	if (!doc_number(r, "own", &own))
		return;
	if (doc_number(r, "units", &units) && units)
		snprintf(a->text, sizeof(a->text), "%" PRIu64 " / %" PRIu64, own, units);
	else
		snprintf(a->text, sizeof(a->text), "%" PRIu64, own);
	if (doc_number(r, "others", &others) && others)
		snprintf(a->detail, sizeof(a->detail), "and %" PRIu64 " in other tasks", others);
}

static void fill_cookie(struct json_object *cell, const char *key, struct answer *a)
{
	struct json_object *c = doc_object(cell, "cookie");
	const char *given = doc_text(c, "given"), *seen = doc_text(c, "seen");

	(void)key;
	if (!seen)
		return;
	if (!strtoull(seen, NULL, 0))
		snprintf(a->text, sizeof(a->text), "0");
	else if (given && !strcmp(given, seen))
		snprintf(a->text, sizeof(a->text), "as given");
	else
		snprintf(a->text, sizeof(a->text), "%.40s", seen);
	snprintf(a->detail, sizeof(a->detail), "given %.40s, read %.40s", given ? given : "none",
		 seen);
}

static void set_time(struct answer *a, uint64_t ns)
{
	char text[TIME_TEXT];

	a->timed = true;
	a->ns = a->low = a->high = ns;
	snprintf(a->text, sizeof(a->text), "%s", time_text(ns, text));
}

/* Append " (3.37-3.51)" if it has the unit of the text, or else " (390 ns-1.20 us)". */
static void add_spread(struct answer *a)
{
	const size_t len = strlen(a->text);
	char low[TIME_TEXT], high[TIME_TEXT];
	const char *unit = strchr(a->text, ' ');

	time_text(a->low, low);
	time_text(a->high, high);
	if (!strcmp(strchr(low, ' '), unit) && !strcmp(strchr(high, ' '), unit))
		*strchr(low, ' ') = *strchr(high, ' ') = '\0';
	snprintf(a->text + len, sizeof(a->text) - len, " (%s-%s)", low, high);
}

/* Older documents have the 99th percentile instead of the upper quartile. */
static void fill_step_time(struct json_object *cell, const char *step, struct answer *a)
{
	struct json_object *t = doc_object(doc_get(cell, "times"), step);
	uint64_t ns, p99, rounds, quartile;
	char text[TIME_TEXT];

	if (!doc_number(t, "median_ns", &ns))
		return;
	set_time(a, ns);
	if (doc_number(t, "rounds", &rounds) && rounds < REPORT_TIME_ROUNDS)
		a->high = TIME_UNSURE;
	if (a->high == TIME_UNSURE || !doc_number(t, "p99_ns", &p99))
		return;
	a->high = doc_number(t, "p75_ns", &quartile) ? quartile : p99;
	if (doc_number(t, "p25_ns", &quartile)) {
		a->low = quartile;
		add_spread(a);
	}
	snprintf(a->detail, sizeof(a->detail), "99 of 100 rounds within %s", time_text(p99, text));
}

static void fill_cost(struct json_object *cell, const char *key, struct answer *a)
{
	struct json_object *c = doc_object(cell, "cost");
	const char *unit = doc_text(c, "unit");
	char most[32];
	uint64_t ns;

	if (!doc_number(c, key, &ns))
		return;
	set_time(a, ns);
	snprintf(most, sizeof(most), "%.*s_most_ns", (int)strcspn(key, "_"), key);
	if (doc_number(c, most, &a->high))
		add_spread(a);
	/* Five repetitions are not a distribution, and a busy machine may triple their time. */
	a->high = 3 * ns;
	snprintf(a->detail, sizeof(a->detail), "%s", unit ? unit : "");
}

/* The answer is that records and counts exist; their numbers are only detail, because they vary. */
static void fill_records(struct json_object *cell, const char *key, struct answer *a)
{
	struct json_object *r = doc_object(doc_get(cell, "records"), key);
	uint64_t kept, dropped, counted;
	const bool has = doc_number(r, "kept", &kept), counts = doc_number(r, "counted", &counted);

	if (!has)
		return;
	snprintf(a->text, sizeof(a->text), "%s%s", kept ? "kept" : "dropped",
		 !counts ? "" : counted ? ", counted" : ", no count");
	snprintf(a->detail, sizeof(a->detail), "kept %" PRIu64, kept);
	if (doc_number(r, "dropped", &dropped))
		snprintf(a->detail + strlen(a->detail), sizeof(a->detail) - strlen(a->detail),
			 ", dropped %" PRIu64, dropped);
	if (counts)
		snprintf(a->detail + strlen(a->detail), sizeof(a->detail) - strlen(a->detail),
			 ", counted %" PRIu64, counted);
}

static const struct {
	const char *id, *what;
	void (*fill)(struct json_object *cell, const char *key, struct answer *a);
	const char *key;	/* the member that @fill reads, if it can read several */
	bool is_note;	/* varies between runs, and is not compared */
} measured[] = {
	{ "outcome", "outcome", fill_outcome, NULL, false },
	{ "runs", "runs / times worked", fill_runs, NULL, true },
	{ "cookie", "cookie read", fill_cookie, NULL, false },
	{ "open-time", "time to open", fill_step_time, "open", false },
	{ "bind-time", "time to bind", fill_step_time, "bind", false },
	{ "enable-time", "time to enable", fill_step_time, "enable", false },
	{ "detach-time", "time to detach", fill_step_time, "detach", false },
	{ "cost-nothing", "CPU time, nothing open", fill_cost, "nothing_ns", true },
	{ "cost-event", "CPU time, event open", fill_cost, "event_ns", false },
	{ "cost-program", "CPU time, program runs", fill_cost, "program_ns", false },
	{ "returns-0", "returns 0: record", fill_records, "returns_0", false },
	{ "returns-1", "returns 1: record", fill_records, "returns_1", false },
};

static bool add_answer(struct json_object *by_cell, const char *name, const struct answer *a,
		      struct json_object *error)
{
	struct json_object *json = json_object_new_object();

	value_add_string(json, "answer", a->text);
	if (a->detail[0])
		value_add_string(json, "detail", a->detail);
	if (a->timed) {
		value_add_uint(json, "ns", a->ns);
		value_add_uint(json, "low_ns", a->low);
		value_add_uint(json, "high_ns", a->high);
	}
	if (error)
		value_add(json, "error", json_object_get(error));
	return doc_add_copied(by_cell, name, json);
}

/* Add row @row of the table, unless no cell has an answer. */
static bool add_row(struct json_object *rows, const struct cells *cells, unsigned int row)
{
	struct json_object *by_cell = json_object_new_object(), *json;
	bool ok = by_cell;

	for (unsigned int i = 0; ok && i < cells->nr; i++) {
		struct json_object *cell = cells->list[i].json;
		struct answer a = { .text = "" };

		measured[row].fill(cell, measured[row].key, &a);
		ok = !a.text[0] || add_answer(by_cell, cells->list[i].name, &a,
					       row ? NULL : doc_object(cell, "error"));
	}
	if (!ok || !json_object_object_length(by_cell)) {
		json_object_put(by_cell);
		return ok;
	}
	json = json_object_new_object();
	value_add_string(json, "id", measured[row].id);
	value_add_string(json, "what", measured[row].what);
	value_add_bool(json, "note", measured[row].is_note);
	value_add(json, "cells", by_cell);
	return value_append(rows, json);
}

struct json_object *rows_new(const char *id, const char *title)
{
	struct json_object *section = json_object_new_object();

	value_add_string(section, "id", id);
	value_add_string(section, "title", title);
	value_add(section, "rows", json_object_new_array());
	return doc_finish(section, value_is_complete(section));
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
