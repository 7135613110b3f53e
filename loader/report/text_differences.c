// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The differences and their explanations as text; what has changed since an earlier document. */
#include <stdlib.h>
#include <string.h>

#include <json-c/linkhash.h>

#include "loader/report/text.h"

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
void report_answers(FILE *to, struct json_object *doc, struct json_object *difference)
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
	report_answers(to, doc, difference);
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
		const char *event = doc_text(doc_at(list, i), "event");
		char *other;

		if (done[i] || (i > first && (!event || !together(doc_at(list, first),
								  doc_at(list, i)))))
			continue;
		other = line_of(doc, doc_at(list, i));
		same = other && !strcmp(other, line);
		free(other);
		if (!same && i > first)
			continue;
		done[i] = true;
		if (event)
			fprintf(to, "%s%s", any ? ", " : " (", event);
		any |= event != NULL;
	}
	if (any)
		putc(')', to);
}

static void print_one(FILE *file, struct json_object *doc, size_t first, bool *done)
{
	char *line = line_of(doc, doc_at(doc_array(doc, "differences"), first)), *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	done[first] = done[first] || !line || !to;
	if (to && line) {
		fputs(line, to);
		print_events(to, doc, first, done, line);
	}
	if (to && !fclose(to) && line) {
		fputs("    ", file);
		text_paragraph(file, 4, 8, text);
	}
	free(text);
	free(line);
}

static void print_why(FILE *file, struct json_object *difference)
{
	const char *text = doc_text(difference, "text"), *code = doc_text(difference, "explained"),
		   *chapter = doc_text(difference, "chapter");
	char line[1024];

	if (code)
		snprintf(line, sizeof(line), "%s (%s; pload explain %s)", text ? text : "",
			 chapter ? chapter : "no chapter", code);
	else
		snprintf(line, sizeof(line), "Unexplained: nobody has said yet why%s.",
			 doc_text(difference, "event") ? "" : " these events differ");
	fputs("  ", file);
	text_paragraph(file, 2, 2, line);
}

void text_differences(FILE *file, struct json_object *doc)
{
	struct json_object *list = doc_array(doc, "differences");
	bool *done = calloc(doc_len(list) + 1, sizeof(*done));

	if (doc_len(list))
		fputs("\ndifferences\n", file);
	for (size_t i = 0; done && i < doc_len(list); i++) {
		if (done[i])
			continue;
		print_why(file, doc_at(list, i));
		for (size_t j = i; j < doc_len(list); j++)
			if (!done[j] && (j == i || together(doc_at(list, i), doc_at(list, j))))
				print_one(file, doc, j, done);
	}
	free(done);
}

void text_against(FILE *file, struct json_object *against)
{
	(void)file;
	(void)against;
}
