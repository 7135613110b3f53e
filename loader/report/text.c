// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report as text: first what became of each way, then how, then what differs and why. */
#include <inttypes.h>
#include <string.h>

#include "loader/report/text.h"

static void print_kernel(FILE *file, struct json_object *kernel)
{
	const char *release = doc_text(kernel, "release"), *machine = doc_text(kernel, "machine");

	fputs("Linux ", file);
	text_cell(file, release ? release : "(unknown)", 40, true);
	if (machine) {
		putc(' ', file);
		text_cell(file, machine, 16, true);
	}
}

static void print_top(FILE *file, struct json_object *doc)
{
	struct json_object *object = doc_object(doc, "object");
	const char *path = doc_text(object, "path"), *prog = doc_text(object, "program");
	uint64_t n;

	print_kernel(file, doc_object(doc, "kernel"));
	if (doc_number(doc, "cpus", &n))
		fprintf(file, ", %" PRIu64 " CPU%s", n, n == 1 ? "" : "s");
	if (doc_number(doc, "rounds", &n) && n)
		fprintf(file, ", medians of %" PRIu64 " rounds", n);
	fputs(doc_true(doc, "privileged") ? "\n" : ", not privileged\n", file);
	if (!path)
		return;
	fputs("program ", file);
	text_cell(file, prog ? prog : "", 30, true);
	fputs(" of ", file);
	text_line(file, 46, path);
}

/* "cpu-clock: 4 of 4 ways fire". */
static void print_counts(FILE *file, struct json_object *doc)
{
	struct json_object *events = doc_array(doc, "events"), *list = doc_array(doc, "differences");
	unsigned int cells_nr = 0, fire = 0, unexplained = 0;

	for (size_t i = 0; i < doc_len(events); i++) {
		struct cells cells;

		cells_read(&cells, doc_at(events, i));
		cells_nr += cells.nr;
		for (unsigned int j = 0; j < cells.nr; j++)
			fire += doc_is(cells.list[j].json, "outcome", "fires");
	}
	for (size_t i = 0; i < doc_len(list); i++)
		unexplained += !doc_text(doc_at(list, i), "explained");
	fprintf(file, "%zu event%s, %u of %u cells fire; %zu differences, ", doc_len(events),
		doc_len(events) == 1 ? "" : "s", fire, cells_nr, doc_len(list));
	if (unexplained)
		fprintf(file, "%u of them unexplained\n", unexplained);
	else
		fputs("all explained\n", file);
}

static void print_event(FILE *file, struct json_object *event)
{
	struct json_object *sections = rows_sections(event);
	const char *words[] = { doc_text(event, "kind"), doc_text(event, "type"),
				doc_text(event, "program") };
	const char *name = doc_text(event, "event");
	struct cells cells;

	cells_read(&cells, event);
	putc('\n', file);
	text_cell(file, name ? name : "(no name)", 60, true);
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!words[i])
			continue;
		fputs(i == 2 ? ", program " : i ? ", " : ": ", file);
		text_cell(file, words[i], 24, true);
	}
	putc('\n', file);
	for (size_t i = 0; i < doc_len(sections); i++) {
		struct json_object *section = doc_at(sections, i);

		if (i == 1) {	/* the calls, which are no table */
			text_calls(file, &cells);
			continue;
		}
		if (i)
			putc('\n', file);
		text_section(file, &cells, section);
	}
	json_object_put(sections);
}

void report_text(FILE *file, struct json_object *doc)
{
	struct json_object *events = doc_array(doc, "events");

	print_top(file, doc);
	if (doc_len(events) > 1) {
		print_counts(file, doc);
		text_overview(file, events);
	}
	for (size_t i = 0; i < doc_len(events); i++)
		print_event(file, doc_at(events, i));
	text_differences(file, doc);
	text_against(file, doc_object(doc, "against"));
	putc('\n', file);
	print_counts(file, doc);
}
