// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report as text: outcomes first, then measurements, differences and explanations. */
#include <inttypes.h>
#include <string.h>

#include "loader/tools/report/text/text.h"
#include "loader/tools/report/why/together.h"

/* A paragraph of its own, because names of kernels may be long. */
static void print_top(FILE *file, struct json_object *doc)
{
	struct json_object *kernel = doc_object(doc, "kernel"), *object = doc_object(doc, "object");
	const char *release = doc_text(kernel, "release"), *machine = doc_text(kernel, "machine"),
		   *path = doc_text(object, "path"), *prog = doc_text(object, "program");
	struct text_parts top = { .len = 0 };
	uint64_t n;

	text_add(&top, "Linux %s %s", release ? release : "(unknown)", machine ? machine : "");
	if (doc_number(doc, "cpus", &n))
		text_add(&top, ", %" PRIu64 " CPU%s", n, n == 1 ? "" : "s");
	if (doc_number(doc, "rounds", &n) && n)
		text_add(&top, ", medians of %" PRIu64 " rounds%s", n, rounds_note(n));
	if (!doc_true(doc, "privileged"))
		text_add(&top, ", not privileged");
	if (doc_true(doc, "interrupted"))
		text_add(&top, ", interrupted");
	if (path)
		text_add(&top, ", program %s of %s", prog ? prog : "", path);
	text_paragraph(file, 0, 2, top.text);
}

static bool print_event(FILE *file, struct json_object *event)
{
	struct json_object *sections = rows_sections(event);
	const char *words[] = { doc_text(event, "kind"), doc_text(event, "type"),
				doc_text(event, "program") };
	const char *name = doc_text(event, "event");
	struct cells cells;
	bool ok = sections;

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
	for (size_t i = 0; ok && i < doc_len(sections); i++) {
		struct json_object *section = doc_at(sections, i);

		if (i == 1) {	/* the system calls */
			ok = text_calls(file, &cells);
			continue;
		}
		if (i)
			putc('\n', file);
		text_section(file, &cells, section);
	}
	json_object_put(sections);
	return ok;
}

/* Print the events of --all that were not measured. */
static void print_left_out(FILE *file, struct json_object *list)
{
	if (doc_len(list))
		fputs("\nleft out\n", file);
	for (size_t i = 0; i < doc_len(list); i++) {
		struct json_object *error = doc_object(doc_at(list, i), "error");
		const char *event = doc_text(doc_at(list, i), "event"),
			   *text = doc_text(error, "text"), *reason = doc_text(error, "reason");
		char line[1024];

		snprintf(line, sizeof(line), "%s: %s%s%s%s", event ? event : "", text ? text : "",
			 reason ? " [" : "", reason ? reason : "", reason ? "]" : "");
		fputs("    ", file);
		text_paragraph(file, 4, 8, line);
	}
}

bool report_text(FILE *file, struct json_object *doc)
{
	struct json_object *events = doc_array(doc, "events");
	char counts[COUNTS_TEXT];
	bool ok = true;

	print_top(file, doc);
	fprintf(file, "%s\n", report_counts(doc, counts));
	if (doc_len(events) > 1)
		text_overview(file, events);
	for (size_t i = 0; ok && i < doc_len(events); i++)
		ok = print_event(file, doc_at(events, i));
	if (!ok || !text_differences(file, doc))
		return false;
	print_left_out(file, doc_array(doc, "left_out"));
	text_against(file, doc_object(doc, "against"));
	fprintf(file, "\n%s\n", counts);
	return true;
}
