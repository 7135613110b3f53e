// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Conclude from the measurements which --attach= method to use, when not to, and its costs. */
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/base/text/text_stream.h"
#include "loader/compare/report/report_internal.h"

enum { LINK, IOCTL, PMU, NR_METHODS };

static const char *const method_names[NR_METHODS] = { "link", "ioctl", "pmu" };

/* An ability is an answer that starts with @begins. */
static const struct {
	const char *section, *row, *begins;
	const char *is;		/* "take --attach=link: it IS" */
	const char *must;	/* "but another method if it has to MUST" */
} abilities[] = {
	{ "lifetime", "pin", "pinned", "can be pinned", "be pinned" },
	{ "visibility", "link-listed", "listed", "is listed", "be listed" },
	{ "measured", "cookie", "as given", "passes a cookie", "pass a cookie" },
	{ "lifetime", "event-fd-closed", "runs", "keeps running when its event is closed",
	  "keep running when its event is closed" },
	{ "lifetime", "event-handed", "runs", "keeps running while another process holds its event",
	  "keep running while another process holds its event" },
	{ "lifetime", "same-program", "runs", "takes one program on two such events",
	  "take one program on two such events" },
	{ "lifetime", "child-inherits", "runs", "is inherited by children",
	  "be inherited by children" },
};

#define NR_ABILITIES (sizeof(abilities) / sizeof(abilities[0]))

/* An event, with the cell of each method; -1: none that fires. */
struct subject {
	struct json_object *event, *sections;	/* @sections: owned */
	struct cells cells;
	int cell[NR_METHODS];
};

struct verdict {
	struct json_object *events;
	unsigned int fires[NR_METHODS];	/* the number of events */
	bool has[NR_METHODS][NR_ABILITIES], lacks[NR_METHODS][NR_ABILITIES];
	unsigned int pick;		/* the method to take */
	uint64_t bind_min, bind_max;	/* how much longer the pick takes to bind */
	uint64_t open_min, open_max;	/* how much longer the slowest takes to open ... */
	int slowest;			/* ... which is this method; -1: none */
	unsigned int nr_costs;		/* events whose costs are known */
	double spread;			/* the largest factor between the costs of one event */
	uint64_t cost_min, cost_max, nothing;	/* the event with that factor */
	const char *spread_event;
	unsigned int nr_others;		/* events that need another method */
	const char *other_event;	/* the first of them */
	const char *other_reason;	/* why the pick does not fire there */
	int other;			/* the method that does */
};

static bool subject_begin(struct subject *s, struct json_object *event)
{
	s->event = event;
	s->sections = rows_sections(event);
	cells_read(&s->cells, event);
	for (unsigned int m = 0; m < NR_METHODS; m++) {
		s->cell[m] = -1;
		for (unsigned int i = 0; i < s->cells.nr && s->cell[m] < 0; i++)
			if (s->cells.list[i].attach &&
			    !strcmp(s->cells.list[i].attach, method_names[m]) &&
			    doc_is(s->cells.list[i].json, "outcome", "fires"))
				s->cell[m] = i;
	}
	return s->sections;
}

/* Read a row, leaving out the answers of cells without a method. */
static bool read_row(const struct subject *s, const char *section, const char *id, struct row *row)
{
	struct json_object *of = doc_find(s->sections, "id", section),
			   *json = doc_find(doc_array(of, "rows"), "id", id);
	unsigned int methods = 0;

	if (!json)
		return false;
	row_read(row, &s->cells, of, json);
	for (unsigned int m = 0; m < NR_METHODS; m++)
		methods |= s->cell[m] < 0 ? 0 : 1u << s->cell[m];
	row->has &= methods;
	row->timed &= methods;
	return row->has;
}

static bool answers(const struct subject *s, unsigned int m, const struct row *row)
{
	return s->cell[m] >= 0 && row->has & 1u << s->cell[m];
}

static void add_abilities(struct verdict *v, const struct subject *s)
{
	struct row row;

	for (unsigned int m = 0; m < NR_METHODS; m++)
		v->fires[m] += s->cell[m] >= 0;
	for (unsigned int a = 0; a < NR_ABILITIES; a++) {
		if (!read_row(s, abilities[a].section, abilities[a].row, &row))
			continue;
		for (unsigned int m = 0; m < NR_METHODS; m++) {
			if (!answers(s, m, &row))
				continue;
			if (!strncmp(row.answer[s->cell[m]], abilities[a].begins,
				     strlen(abilities[a].begins)))
				v->has[m][a] = true;
			else
				v->lacks[m][a] = true;
		}
	}
}

static bool always(const struct verdict *v, unsigned int m, unsigned int a)
{
	return v->has[m][a] && !v->lacks[m][a];
}

static unsigned int nr_abilities(const struct verdict *v, unsigned int m)
{
	unsigned int nr = 0;

	for (unsigned int a = 0; a < NR_ABILITIES; a++)
		nr += always(v, m, a);
	return nr;
}

/* Prefer the method that fires for most events, then the most capable one, then the simplest. */
static void choose(struct verdict *v)
{
	static const unsigned int simplest_first[] = { IOCTL, LINK, PMU };

	v->pick = IOCTL;
	for (unsigned int i = 1; i < NR_METHODS; i++) {
		const unsigned int m = simplest_first[i];

		if (v->fires[m] > v->fires[v->pick] ||
		    (v->fires[m] == v->fires[v->pick] &&
		     nr_abilities(v, m) > nr_abilities(v, v->pick)))
			v->pick = m;
	}
}

/* --- times and costs --- */

static void extend(uint64_t *min, uint64_t *max, uint64_t ns)
{
	*min = !*max || ns < *min ? ns : *min;
	*max = ns > *max ? ns : *max;
}

/* Return the method with the shortest (@longest: the longest) time, or -1. */
static int extreme(const struct subject *s, const struct row *row, bool longest)
{
	int found = -1;

	for (unsigned int m = 0; m < NR_METHODS; m++)
		if (answers(s, m, row) && row->timed & 1u << s->cell[m] &&
		    (found < 0 ||
		     (row->ns[s->cell[m]] > row->ns[s->cell[found]]) == longest))
			found = m;
	return found;
}

static void add_times(struct verdict *v, const struct subject *s)
{
	const int pick = s->cell[v->pick];
	struct row row;
	int least, most;

	if (read_row(s, "measured", "bind-time", &row) && row_differs(&row)) {
		least = extreme(s, &row, false);
		if (pick >= 0 && row.timed & 1u << pick && row.ns[pick] > row.ns[s->cell[least]])
			extend(&v->bind_min, &v->bind_max, row.ns[pick] - row.ns[s->cell[least]]);
	}
	if (!read_row(s, "measured", "open-time", &row) || !row_differs(&row))
		return;
	least = extreme(s, &row, false);
	most = extreme(s, &row, true);
	if (v->slowest < 0)
		v->slowest = most;
	if (v->slowest == most)
		extend(&v->open_min, &v->open_max,
		       row.ns[s->cell[most]] - row.ns[s->cell[least]]);
}

static void add_costs(struct verdict *v, const struct subject *s)
{
	uint64_t min, max;
	struct row row;
	double spread;

	if (!read_row(s, "measured", "cost-program", &row) || extreme(s, &row, false) < 0)
		return;
	min = row.ns[s->cell[extreme(s, &row, false)]];
	max = row.ns[s->cell[extreme(s, &row, true)]];
	spread = (double)(max ? max : 1) / (double)(min ? min : 1);
	if (v->nr_costs++ && spread <= v->spread)
		return;
	v->spread = spread;
	v->spread_event = doc_text(s->event, "event");
	v->cost_min = min;
	v->cost_max = max;
	v->nothing = 0;
	if (read_row(s, "measured", "cost-nothing", &row) && extreme(s, &row, false) >= 0)
		v->nothing = row.ns[s->cell[extreme(s, &row, false)]];
}

static void add_exception(struct verdict *v, const struct subject *s)
{
	int other = -1;

	for (unsigned int m = 0; m < NR_METHODS; m++)
		if (s->cell[m] >= 0 && (other < 0 || v->fires[m] > v->fires[other]))
			other = m;
	if (s->cell[v->pick] >= 0 || other < 0 || v->nr_others++)
		return;
	v->other = other;
	v->other_event = doc_text(s->event, "event");
	for (unsigned int i = 0; i < s->cells.nr; i++)
		if (s->cells.list[i].attach &&
		    !strcmp(s->cells.list[i].attach, method_names[v->pick]))
			v->other_reason = doc_text(doc_object(s->cells.list[i].json, "error"),
						   "reason");
}

/* --- the sentences --- */

/* Print "850 ns", or "850 ns to 1.20 us" unless they are nearly one. */
static void put_range(FILE *to, uint64_t min, uint64_t max)
{
	char text[TIME_TEXT], other[TIME_TEXT];

	fputs(time_text(min, text), to);
	if (strcmp(time_text(max, other), text))
		fprintf(to, " to %s", other);
}

/* Return true if the pick can do something that no other firing method can. */
static bool is_gain(const struct verdict *v, unsigned int a)
{
	bool compared = false;

	for (unsigned int m = 0; m < NR_METHODS; m++) {
		if (m == v->pick || !v->fires[m])
			continue;
		if (v->has[m][a] || !v->lacks[m][a])
			return false;
		compared = true;
	}
	return compared && always(v, v->pick, a);
}

static void put_take(FILE *to, const struct verdict *v)
{
	unsigned int nr = 0, others = 0;

	fprintf(to, "take --attach=%s: ", method_names[v->pick]);
	for (unsigned int a = 0; a < NR_ABILITIES; a++)
		if (is_gain(v, a))
			fprintf(to, "%s%s", nr++ ? ", " : "it ", abilities[a].is);
	for (unsigned int m = 0; m < NR_METHODS; m++)
		others += m != v->pick && v->fires[m];
	if (!nr)
		fputs(others ? "no other method was measured to do more" :
			       "no other method fires", to);
	if (v->bind_max) {
		fputs("; binding takes ", to);
		put_range(to, v->bind_min, v->bind_max);
		fputs(" more", to);
	}
}

/* An ability that the pick lacks, and the simplest method that has it. */
static void put_unless(FILE *to, const struct verdict *v)
{
	unsigned int nr = 0;

	for (unsigned int a = 0; a < NR_ABILITIES; a++) {
		const unsigned int m = always(v, IOCTL, a) ? IOCTL : always(v, PMU, a) ? PMU : LINK;

		if (!v->lacks[v->pick][a] || v->has[v->pick][a] || !always(v, m, a))
			continue;
		fprintf(to, "%s %s (--attach=%s does)",
			nr++ ? ", or" : "but another method if it has to", abilities[a].must,
			method_names[m]);
	}
	if (v->nr_others) {
		fprintf(to, "%s --attach=%s for %s",
			nr++ ? "; take" : "unless it does not fire: take",
			method_names[v->other], v->other_event ? v->other_event : "");
		if (v->nr_others > 1)
			fprintf(to, " and %u other event%s", v->nr_others - 1,
				v->nr_others > 2 ? "s" : "");
		if (v->other_reason)
			fprintf(to, " [%s]", v->other_reason);
	}
	if (!nr)
		fprintf(to, "no other method was measured to do what --attach=%s does not",
			method_names[v->pick]);
}

static void put_costs(FILE *to, const struct verdict *v)
{
	const bool is_same = v->spread <= REPORT_TIME_FACTOR;

	fputs("CPU time per event", to);
	if (v->nr_costs > 1 && v->spread_event)
		fprintf(to, " (%s)", v->spread_event);
	if (!v->nr_costs)
		fputs(" was not measured", to);
	else if (is_same && v->spread < 1.005)
		fputs(", once attached: the same by each method, ", to);
	else if (is_same)
		fprintf(to, ", once attached: the same within %.0f %%, ", (v->spread - 1) * 100);
	else
		fprintf(to, ", once attached: up to %.1f times as much, ", v->spread);
	if (v->nr_costs)
		put_range(to, v->cost_min, v->cost_max);
	if (v->nr_costs && v->nothing) {
		fputs("; with nothing open, ", to);
		put_range(to, v->nothing, v->nothing);
	}
	if (v->slowest >= 0) {
		fprintf(to, "; opening by --attach=%s takes ", method_names[v->slowest]);
		put_range(to, v->open_min, v->open_max);
		fputs(" more", to);
	}
}

/* Return the first cause, if possible one of an event that this cell can be opened for. */
static struct json_object *find_cause(const struct verdict *v)
{
	struct json_object *first = NULL;

	for (size_t i = 0; i < doc_len(v->events); i++) {
		struct json_object *cells = doc_array(doc_at(v->events, i), "cells");

		for (size_t j = 0; j < doc_len(cells); j++) {
			struct json_object *error = doc_object(doc_at(cells, j), "error");

			if (error && !doc_is(error, "reason", "attach/no-cell"))
				return error;
			first = first ? first : error;
		}
	}
	return first;
}

/* Nothing fires: print the cause, and what can be done about it. */
static void put_cause(FILE *to, const struct verdict *v)
{
	struct json_object *error = find_cause(v);

	fputs("no method fires here", to);
	if (doc_text(error, "text"))
		fprintf(to, ": %s", doc_text(error, "text"));
	if (doc_text(error, "reason"))
		fprintf(to, " [%s]", doc_text(error, "reason"));
	if (doc_text(error, "hint"))
		fprintf(to, "; %s", doc_text(error, "hint"));
}

static bool add_line(struct json_object *lines, const struct verdict *v,
		     void (*put)(FILE *to, const struct verdict *v))
{
	struct text_stream to;

	if (!text_stream_open(&to))
		return false;
	put(to.file, v);
	return value_append(lines, doc_string(text_stream_close(&to)));
}

static bool for_each(struct verdict *v, void (*call)(struct verdict *v, const struct subject *s))
{
	for (size_t i = 0; i < doc_len(v->events); i++) {
		struct subject s;
		const bool ok = subject_begin(&s, doc_at(v->events, i));

		if (ok)
			call(v, &s);
		json_object_put(s.sections);
		if (!ok)
			return false;
	}
	return true;
}

static bool has_methods(struct json_object *events)
{
	for (size_t i = 0; i < doc_len(events); i++) {
		struct json_object *cells = doc_array(doc_at(events, i), "cells");

		for (size_t j = 0; j < doc_len(cells); j++)
			if (doc_text(doc_at(cells, j), "attach"))
				return true;
	}
	return false;
}

static void add_measured(struct verdict *v, const struct subject *s)
{
	add_times(v, s);
	add_costs(v, s);
	add_exception(v, s);
}

struct json_object *report_verdict(struct json_object *doc)
{
	struct verdict v = { .events = doc_array(doc, "events"), .slowest = -1 };
	struct json_object *lines = json_object_new_array();
	const char *of_profile = doc_text(doc_object(doc, "profile"), "verdict");
	struct json_object *of_scale = scale_verdict(doc_object(doc, "scale"));
	bool ok = lines && for_each(&v, add_abilities);

	choose(&v);
	if (of_scale)
		ok = value_append(lines, of_scale) && ok;
	if (ok && of_profile)
		ok = value_append(lines, json_object_new_string(of_profile));
	if (!ok || !has_methods(v.events))
		return doc_finish(lines, ok);
	if (!v.fires[v.pick])
		return doc_finish(lines, add_line(lines, &v, put_cause));
	ok = for_each(&v, add_measured) && add_line(lines, &v, put_take) &&
	     add_line(lines, &v, put_unless) && add_line(lines, &v, put_costs);
	return doc_finish(lines, ok);
}
