// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report as text: outcomes first, then measurements, differences and explanations. */
#include <inttypes.h>
#include <string.h>

#include "loader/compare/report/text/text.h"
#include "loader/compare/report/why/together.h"

/* A separate paragraph, because kernel names may be long. */
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

static void print_title(FILE *file, struct json_object *event)
{
	const char *words[] = { doc_text(event, "kind"), doc_text(event, "type"),
				doc_text(event, "program") };
	const char *name = doc_text(event, "event");
	struct text_parts title = { .len = 0 };

	text_add(&title, "%s", name ? name : "(no name)");
	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i])
			text_add(&title, "%s%s", i == 2 ? ", program " : i ? ", " : ": ",
				 words[i]);
	putc('\n', file);
	text_paragraph(file, 0, 2, title.text);
}

/* Print all rows, and the system calls in place of their section. */
static bool print_sections(FILE *file, const struct cells *cells, struct json_object *sections)
{
	bool ok = true;

	for (size_t i = 0; ok && i < doc_len(sections); i++) {
		if (i == 1) {
			ok = text_calls(file, cells);
			continue;
		}
		if (i)
			putc('\n', file);
		text_section(file, cells, doc_at(sections, i));
		if (!i)
			text_reasons(file, cells, doc_at(sections, i));
	}
	return ok;
}

/* Cells that differ only in how the event is opened, but open it with the same call. */
static void print_same_calls(FILE *file, struct json_object *event)
{
	const char *kind = doc_text(event, "kind");
	const char *open = kind && !strcmp(kind, "traced") ? "tracefs" : "type";
	struct text_parts line = { .len = 0 };
	uint64_t type;

	if (!doc_number(event, "same_type", &type))
		return;
	text_add(&line, "pmu+ioctl makes the calls of %s+ioctl, pmu+link those of %s+link: "
			"its PMU is type %" PRIu64, open, open, type);
	fputs("  ", file);
	text_paragraph(file, 2, 2, line.text);
}

static bool print_event(FILE *file, struct json_object *doc, struct json_object *event,
			bool all_rows)
{
	struct json_object *sections = rows_sections(event), *least;
	struct cells cells;
	bool ok = sections;

	cells_read(&cells, event);
	print_title(file, event);
	print_same_calls(file, event);
	if (ok && all_rows)
		ok = print_sections(file, &cells, sections);
	else if (ok)
		ok = text_rows(file, &cells, doc, event, sections);
	if (ok && !all_rows) {
		text_reasons(file, &cells, doc_at(sections, 0));
		/* Users want to know this even if all cells agree. */
		least = doc_find(sections, "id", "least");
		if (least)
			putc('\n', file);
		text_section(file, &cells, least);
	}
	json_object_put(sections);
	return ok;
}

/* Append ": WHERE: TEXT [REASON]". */
static void add_cause(struct text_parts *line, struct json_object *error)
{
	const char *where = doc_text(error, "where"), *text = doc_text(error, "text"),
		   *reason = doc_text(error, "reason");

	text_add(line, ": %s%s%s", where ? where : "", where ? ": " : "", text ? text : "");
	if (reason)
		text_add(line, " [%s]", reason);
}

/* Print the sections of one run of a command that each method has profiled. */
static void print_profile(FILE *file, struct json_object *profile)
{
	struct json_object *methods = doc_array(profile, "methods"),
			   *sections = doc_array(profile, "sections");
	const char *object = doc_text(profile, "object"), *event = doc_text(profile, "event"),
		   *command = doc_text(profile, "command");
	struct text_parts title = { .len = 0 };
	struct cells cells = { .nr = 0 };
	uint64_t hz;

	doc_number(profile, "freq", &hz);
	text_add(&title, "%s: %s, %" PRIu64 " Hz, one run of %s", object ? object : "",
		 event ? event : "", hz, command ? command : "");
	putc('\n', file);
	text_paragraph(file, 0, 2, title.text);
	for (size_t i = 0; i < doc_len(methods) && cells.nr < CELLS_MAX; i++)
		if (doc_text(doc_at(methods, i), "attach"))
			cells.list[cells.nr++].name = doc_text(doc_at(methods, i), "attach");
	for (size_t i = 0; i < doc_len(sections); i++)
		text_section(file, &cells, doc_at(sections, i));
	for (size_t i = 0; i < doc_len(methods); i++) {
		struct json_object *error = doc_object(doc_at(methods, i), "error");
		const char *name = doc_text(doc_at(methods, i), "attach");
		struct text_parts why = { .len = 0 };

		text_add(&why, "%s has no profile", name ? name : "");
		add_cause(&why, error);
		if (error)
			text_paragraph(file, 0, 2, why.text);
	}
}

/* Print the events of --all that were not measured. */
static void print_left_out(FILE *file, struct json_object *list)
{
	if (doc_len(list))
		fputs("\nleft out\n", file);
	for (size_t i = 0; i < doc_len(list); i++) {
		const char *event = doc_text(doc_at(list, i), "event");
		struct text_parts line = { .len = 0 };

		text_add(&line, "%s", event ? event : "");
		add_cause(&line, doc_object(doc_at(list, i), "error"));
		fputs("    ", file);
		text_paragraph(file, 4, 8, line.text);
	}
}

/* The answer: what to use, when not to, and what it costs. */
static void print_verdict(FILE *file, struct json_object *verdict)
{
	for (size_t i = 0; i < doc_len(verdict); i++)
		if (json_object_is_type(doc_at(verdict, i), json_type_string))
			text_paragraph(file, 0, 2, json_object_get_string(doc_at(verdict, i)));
	if (doc_len(verdict))
		putc('\n', file);
}

static bool print_report(FILE *file, struct json_object *doc, bool all_rows)
{
	struct json_object *events = doc_array(doc, "events"),
			   *profile = doc_object(doc, "profile"),
			   *scale = doc_object(doc, "scale");
	char counts[COUNTS_TEXT];
	bool ok = true;

	print_verdict(file, doc_array(doc, "verdict"));
	print_top(file, doc);
	if (profile)
		print_profile(file, profile);
	if (scale)
		scale_text(file, scale, all_rows);
	if (profile || scale)
		return true;
	fprintf(file, "%s\n", report_counts(doc, counts));
	if (doc_len(events) > 1)
		text_overview(file, events);
	for (size_t i = 0; ok && i < doc_len(events); i++)
		ok = print_event(file, doc, doc_at(events, i), all_rows);
	if (!ok || !text_differences(file, doc, !all_rows))
		return false;
	print_left_out(file, doc_array(doc, "left_out"));
	text_against(file, doc_object(doc, "against"));
	fprintf(file, "\n%s\n", counts);
	if (!all_rows)
		fputs("-v prints the other rows and the calls, pload explain [CODE] why\n",
		      file);
	return true;
}

bool report_text(FILE *file, struct json_object *doc)
{
	return print_report(file, doc, false);
}

bool report_text_all_rows(FILE *file, struct json_object *doc)
{
	return print_report(file, doc, true);
}
