// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report as one page: the same as the text has, with bars and calls to look at. */
#include <inttypes.h>
#include <string.h>

#include "loader/tools/report/html/html.h"
#include "loader/tools/report/why/together.h"

static void meta(struct html *h, const char *name, const char *content)
{
	html_open(h, "meta");
	html_attr(h, "name", name);
	html_attr(h, "content", content);
	html_close(h);
}

static void head(struct html *h)
{
	html_open(h, "head");
	html_open(h, "meta");
	html_attr(h, "charset", "utf-8");
	html_close(h);
	meta(h, "viewport", "width=device-width, initial-scale=1");
	html_leaf(h, "title", NULL, "pload compare");
	html_leaf(h, "style", NULL, html_style);
	html_close(h);
}

static void top(struct html *h, struct json_object *doc)
{
	struct json_object *kernel = doc_object(doc, "kernel"), *object = doc_object(doc, "object");
	const char *release = doc_text(kernel, "release"), *machine = doc_text(kernel, "machine"),
		   *path = doc_text(object, "path");
	char text[COUNTS_TEXT];
	uint64_t n;

	html_leaf(h, "h1", NULL, "The ways to attach, side by side");
	html_open(h, "p");
	html_class(h, "soft");
	html_text(h, "Linux ");
	html_text(h, release ? release : "(unknown)");
	html_text(h, " ");
	html_text(h, machine ? machine : "");
	if (doc_number(doc, "cpus", &n)) {
		snprintf(text, sizeof(text), ", %" PRIu64 " CPU%s", n, n == 1 ? "" : "s");
		html_text(h, text);
	}
	if (doc_number(doc, "rounds", &n) && n) {
		snprintf(text, sizeof(text), ", medians of %" PRIu64 " rounds%s", n,
			 rounds_note(n));
		html_text(h, text);
	}
	if (!doc_true(doc, "privileged"))
		html_text(h, ", not privileged");
	if (doc_true(doc, "interrupted"))
		html_text(h, ", interrupted");
	if (path) {
		html_text(h, ", program of ");
		html_text(h, path);
	}
	html_close(h);
	html_open(h, "p");
	html_text(h, report_counts(doc, text));
	html_text(h, ". ");
	html_open(h, "a");
	html_attr(h, "href", "#differences");
	html_text(h, "What differs, and why");
	html_close(h);
	html_close(h);
}

static void event_title(struct html *h, struct json_object *event, size_t i)
{
	const char *name = doc_text(event, "event");
	const char *words[] = { doc_text(event, "kind"), doc_text(event, "type"),
				doc_text(event, "program") };
	char id[32];

	snprintf(id, sizeof(id), "event-%zu", i + 1);
	html_open(h, "h2");
	html_attr(h, "id", id);
	html_text(h, name ? name : "(no name)");
	html_close(h);
	html_open(h, "p");
	html_class(h, "soft");
	for (unsigned int w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
		if (!words[w])
			continue;
		html_text(h, w == 2 ? ", program " : w ? ", " : "");
		html_text(h, words[w]);
	}
	html_close(h);
}

/* Why @what is not there. */
static void cause(struct html *h, const char *what, struct json_object *error)
{
	const char *text = doc_text(error, "text"), *reason = doc_text(error, "reason");

	if (!text)
		return;
	html_open(h, "p");
	html_class(h, "small");
	html_leaf(h, "strong", NULL, what);
	html_text(h, ": ");
	html_text(h, text);
	if (reason) {
		html_text(h, " ");
		html_leaf(h, "code", NULL, reason);
	}
	html_close(h);
}

/* Events of --all that were not measured. */
static void left_out(struct html *h, struct json_object *list)
{
	if (doc_len(list))
		html_leaf(h, "h2", NULL, "Left out");
	for (size_t i = 0; i < doc_len(list); i++) {
		const char *name = doc_text(doc_at(list, i), "event");

		cause(h, name ? name : "(no name)", doc_object(doc_at(list, i), "error"));
	}
}

static void event_of(struct html *h, struct json_object *event, size_t i)
{
	struct json_object *sections = rows_sections(event);
	struct cells cells;

	cells_read(&cells, event);
	event_title(h, event, i);
	html_table(h, &cells, doc_at(sections, 0));
	for (unsigned int c = 0; c < cells.nr; c++)
		cause(h, cells.list[c].name, doc_object(cells.list[c].json, "error"));
	html_bars(h, &cells, doc_at(sections, 0));
	html_timeline(h, &cells);
	for (size_t s = 2; s < doc_len(sections); s++) {	/* 1 is the calls */
		const char *title = doc_text(doc_at(sections, s), "title");

		html_leaf(h, "h3", NULL, title ? title : "");
		html_table(h, &cells, doc_at(sections, s));
	}
	json_object_put(sections);
}

void report_html(FILE *file, struct json_object *doc)
{
	struct json_object *events = doc_array(doc, "events");
	struct html h;

	html_begin(&h, file);
	html_open(&h, "html");
	html_attr(&h, "lang", "en");
	head(&h);
	html_open(&h, "body");
	html_open(&h, "main");
	top(&h, doc);
	if (doc_len(events) > 1)
		html_overview(&h, events);
	html_against(&h, doc_object(doc, "against"));
	for (size_t i = 0; i < doc_len(events); i++)
		event_of(&h, doc_at(events, i), i);
	left_out(&h, doc_array(doc, "left_out"));
	html_differences(&h, doc);
	html_end(&h);
}
