// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Group differences with the same explanation, and events with the same difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/json_object.h"

#include "loader/base/text/text_stream.h"
#include "loader/compare/report/why/together.h"

/* Return true if @a and @b have the same explanation, or are the same unexplained row. */
static bool together(struct json_object *a, struct json_object *b)
{
	const char *x = doc_text(a, "explained"), *y = doc_text(b, "explained");

	if (x || y)
		return x && y && !strcmp(x, y);
	x = doc_text(a, "row");
	y = doc_text(b, "row");
	return x && y && !strcmp(x, y) && !doc_text(a, "event") == !doc_text(b, "event");
}

/* Return the event of that name, for the names of its cells. */
static struct json_object *event_of(struct json_object *doc, const char *name)
{
	struct json_object *events = doc_array(doc, "events");

	for (size_t i = 0; name && i < doc_len(events); i++)
		if (doc_is(doc_at(events, i), "event", name))
			return doc_at(events, i);
	return NULL;
}

/* Print "type+*: 12 us; pmu+*: 40 us": each answer once, with the cells that have it. */
static void put_answers(FILE *to, struct json_object *doc, struct json_object *difference)
{
	struct json_object *answers = doc_object(difference, "answers");
	struct row_group groups[CELLS_MAX];
	struct row row = { 0 };
	struct cells cells;
	char name[CELLS_NAME];
	unsigned int nr;

	cells_read(&cells, event_of(doc, doc_text(difference, "event")));
	if (!cells.nr && answers) {	/* between events: the columns are events */
		json_object_object_foreach(answers, event, answer) {
			(void)answer;
			if (cells.nr < CELLS_MAX)
				cells.list[cells.nr++] = (struct cell){ .name = event };
		}
	}
	for (unsigned int i = 0; i < cells.nr; i++) {
		row.answer[i] = doc_text(answers, cells.list[i].name);
		row.has |= row.answer[i] ? 1u << i : 0;
	}
	nr = row_groups(&row, groups);
	for (unsigned int i = 0; i < nr; i++)
		fprintf(to, "%s%s: %s", i ? "; " : "",
			cells_name(&cells, groups[i].set, name, sizeof(name)), groups[i].answer);
}

/* Return "cookie read: *+ioctl: 0; *+link: as given", new, or NULL for ENOMEM. */
static char *line_of(struct json_object *doc, struct json_object *difference)
{
	const char *what = doc_text(difference, "what");
	struct text_stream to;

	if (!text_stream_open(&to))
		return NULL;
	fprintf(to.file, "%s: ", what ? what : "");
	put_answers(to.file, doc, difference);
	return text_stream_close(&to);
}

struct visit {
	struct json_object *list;
	char **lines;	/* owned, as are its elements: NULL for a difference that was visited */
};

/* Print line @first, and append the events of all differences with this line and explanation. */
static void print_line(FILE *to, const struct visit *v, size_t first)
{
	char *line = v->lines[first];
	bool has_events = false;

	fputs(line, to);
	for (size_t i = first; i < doc_len(v->list); i++) {
		struct json_object *d = doc_at(v->list, i);
		const char *event = doc_text(d, "event"), *prog = doc_text(d, "program");
		const bool has_prog = prog && strcmp(prog, "built-in");

		if (i > first && (!event || !v->lines[i] || strcmp(v->lines[i], line) ||
				  !together(doc_at(v->list, first), d)))
			continue;
		if (event)
			fprintf(to, "%s%s%s%s", has_events ? ", " : " (", event,
				has_prog ? " with " : "", has_prog ? prog : "");
		has_events |= event != NULL;
		if (i > first)
			free(v->lines[i]);
		v->lines[i] = NULL;
	}
	if (has_events)
		putc(')', to);
	free(line);
}

static bool visit_together(const struct visit *v, size_t first,
			   bool (*line)(void *arg, const char *text), void *arg)
{
	struct json_object *d = doc_at(v->list, first);

	for (size_t i = first; i < doc_len(v->list); i++) {
		struct text_stream to;
		char *text;

		if (!v->lines[i] || (i > first && !together(d, doc_at(v->list, i))))
			continue;
		if (!text_stream_open(&to))
			return false;
		print_line(to.file, v, i);
		text = text_stream_close(&to);
		if (!text || !line(arg, text)) {
			free(text);
			return false;
		}
		free(text);
	}
	return true;
}

bool differences_visit(struct json_object *doc, bool between,
		       bool (*begin)(void *arg, struct json_object *difference),
		       bool (*line)(void *arg, const char *text), void *arg)
{
	struct visit v = { .list = doc_array(doc, "differences") };
	const size_t nr = doc_len(v.list);
	bool ok;

	v.lines = calloc(nr + 1, sizeof(*v.lines));
	ok = v.lines;
	for (size_t i = 0; ok && i < nr; i++) {
		if (between && doc_text(doc_at(v.list, i), "event"))
			continue;
		v.lines[i] = line_of(doc, doc_at(v.list, i));
		ok = v.lines[i];
	}
	for (size_t i = 0; ok && i < nr; i++) {
		if (!v.lines[i])
			continue;
		ok = begin(arg, doc_at(v.list, i)) && visit_together(&v, i, line, arg);
	}
	for (size_t i = 0; v.lines && i < nr; i++)
		free(v.lines[i]);
	free(v.lines);
	return ok;
}

const char *report_counts(struct json_object *doc, char *buf)
{
	struct json_object *events = doc_array(doc, "events"),
			   *list = doc_array(doc, "differences");
	unsigned int cells_nr = 0, fire = 0, unexplained = 0, times = 0, nr;
	char differ[80] = "no differences", timed[40] = "";

	for (size_t i = 0; i < doc_len(events); i++) {
		struct cells cells;

		cells_read(&cells, doc_at(events, i));
		cells_nr += cells.nr;
		for (unsigned int j = 0; j < cells.nr; j++)
			fire += doc_is(cells.list[j].json, "outcome", "fires");
	}
	for (size_t i = 0; i < doc_len(list); i++) {
		const bool is_time = doc_true(doc_at(list, i), "time");

		times += is_time;
		unexplained += !is_time && !doc_text(doc_at(list, i), "explained");
	}
	nr = doc_len(list) - times;
	if (nr == 1)
		snprintf(differ, sizeof(differ), "1 difference, %s",
			 unexplained ? "unexplained" : "explained");
	else if (nr && unexplained)
		snprintf(differ, sizeof(differ), "%u differences, %u of them unexplained", nr,
			 unexplained);
	else if (nr)
		snprintf(differ, sizeof(differ), "%u differences, all explained", nr);
	if (times)
		snprintf(timed, sizeof(timed), "; %u timing%s", times,
			 times == 1 ? " differs" : "s differ");
	snprintf(buf, COUNTS_TEXT, "%zu event%s, %u of %u cells fire; %s%s", doc_len(events),
		 doc_len(events) == 1 ? "" : "s", fire, cells_nr, differ, timed);
	return buf;
}

bool change_same(struct json_object *a, struct json_object *b)
{
	static const char *const keys[] = { "event", "section", "row", "then", "now" };

	for (unsigned int i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!json_object_equal(doc_get(a, keys[i]), doc_get(b, keys[i])))
			return false;
	return true;
}
