// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Differences that one explanation does for, as lines that say of which events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/linkhash.h>

#include "loader/tools/report/why/together.h"

/* Whether two differences are shown together: one explanation, or none of the same row. */
static bool together(struct json_object *a, struct json_object *b)
{
	const char *x = doc_text(a, "explained"), *y = doc_text(b, "explained");

	if (x || y)
		return x && y && !strcmp(x, y);
	x = doc_text(a, "row");
	y = doc_text(b, "row");
	return x && y && !strcmp(x, y) && !doc_text(a, "event") == !doc_text(b, "event");
}

/* The event that a difference is of, for the names of its cells. */
static struct json_object *event_of(struct json_object *doc, const char *name)
{
	struct json_object *events = doc_array(doc, "events");

	for (size_t i = 0; name && i < doc_len(events); i++)
		if (doc_is(doc_at(events, i), "event", name))
			return doc_at(events, i);
	return NULL;
}

/* "type+*: 12 us; pmu+*: 40 us": each answer once, with the cells that have it. */
static void put_answers(FILE *to, struct json_object *doc, struct json_object *difference)
{
	struct json_object *answers = doc_object(difference, "answers");
	struct row_group groups[CELLS_MAX];
	struct row row = { 0 };
	struct cells cells;
	char name[CELLS_NAME];
	unsigned int nr;

	cells_read(&cells, event_of(doc, doc_text(difference, "event")));
	if (!cells.nr && answers) {	/* between events: those are the columns */
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

/* "cookie read: *+ioctl: 0; *+link: as given". New; NULL: no memory. */
static char *line_of(struct json_object *doc, struct json_object *difference)
{
	const char *what = doc_text(difference, "what");
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fprintf(to, "%s: ", what ? what : "");
	put_answers(to, doc, difference);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* The events of which @line is to be said as of entry @first, which are done with that. */
static void print_events(FILE *to, struct json_object *doc, size_t first, bool *done,
			 const char *line)
{
	struct json_object *list = doc_array(doc, "differences");
	bool any = false, same;

	for (size_t i = first; i < doc_len(list); i++) {
		const char *event = doc_text(doc_at(list, i), "event"),
			   *prog = doc_text(doc_at(list, i), "program");
		char *other;

		if (i > first && (done[i] || !event || !together(doc_at(list, first),
								 doc_at(list, i))))
			continue;
		other = line_of(doc, doc_at(list, i));
		same = other && !strcmp(other, line);
		free(other);
		if (!same && i > first)
			continue;
		done[i] = true;
		if (event)
			fprintf(to, "%s%s%s%s", any ? ", " : " (", event,
				prog && strcmp(prog, "built-in") ? " with " : "",
				prog && strcmp(prog, "built-in") ? prog : "");
		any |= event != NULL;
	}
	if (any)
		putc(')', to);
}

void differences_together(struct json_object *doc, size_t first, bool *done,
			  void (*line)(void *arg, const char *text), void *arg)
{
	struct json_object *list = doc_array(doc, "differences");

	for (size_t i = first; i < doc_len(list); i++) {
		char *begins, *text = NULL;
		size_t size = 0;
		FILE *to;

		if (done[i] || (i > first && !together(doc_at(list, first), doc_at(list, i))))
			continue;
		done[i] = true;
		begins = line_of(doc, doc_at(list, i));
		to = begins ? open_memstream(&text, &size) : NULL;
		if (to) {
			fputs(begins, to);
			print_events(to, doc, i, done, begins);
		}
		if (to && !fclose(to))
			line(arg, text);
		free(text);
		free(begins);
	}
}

const char *report_counts(struct json_object *doc, char *buf)
{
	struct json_object *events = doc_array(doc, "events"), *list = doc_array(doc, "differences");
	unsigned int cells_nr = 0, fire = 0, unexplained = 0;
	const size_t nr = doc_len(list);
	char differ[80] = "no differences";

	for (size_t i = 0; i < doc_len(events); i++) {
		struct cells cells;

		cells_read(&cells, doc_at(events, i));
		cells_nr += cells.nr;
		for (unsigned int j = 0; j < cells.nr; j++)
			fire += doc_is(cells.list[j].json, "outcome", "fires");
	}
	for (size_t i = 0; i < nr; i++)
		unexplained += !doc_text(doc_at(list, i), "explained");
	if (nr == 1)
		snprintf(differ, sizeof(differ), "1 difference, %s",
			 unexplained ? "unexplained" : "explained");
	else if (nr && unexplained)
		snprintf(differ, sizeof(differ), "%zu differences, %u of them unexplained", nr,
			 unexplained);
	else if (nr)
		snprintf(differ, sizeof(differ), "%zu differences, all explained", nr);
	snprintf(buf, COUNTS_TEXT, "%zu event%s, %u of %u cells fire; %s", doc_len(events),
		 doc_len(events) == 1 ? "" : "s", fire, cells_nr, differ);
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
