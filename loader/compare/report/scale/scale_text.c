// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print what many attachments cost as tables: one per kind, with one row per number. */
#include <inttypes.h>
#include <string.h>

#include "loader/compare/report/report_internal.h"
#include "loader/compare/report/text/text.h"

static const struct text_column head[] = {
	{ "way", 13 }, { "number", 6 }, { "attach", 8 }, { "close", 8 }, { "exit", 8 },
	{ "kill", 8 }, { "hit", 8 }, { "waits to attach / to close", 26 },
};

#define NR_COLUMNS (sizeof(head) / sizeof(head[0]))
#define INDENT 2

static void print_cells(FILE *file, const char *const texts[NR_COLUMNS])
{
	struct text_parts line = { .len = 0 };

	fprintf(file, "%*s", INDENT, "");
	for (size_t i = 0; i + 1 < NR_COLUMNS; i++) {
		text_cell(file, texts[i], head[i].width, false);
		fputs(i + 2 < NR_COLUMNS ? " " : "  ", file);
	}
	text_add(&line, "%s", texts[NR_COLUMNS - 1]);
	text_paragraph(file, 68, 68, line.text);
}

/* The time of an end, or a word that says why there is none. */
static const char *time_of(struct json_object *cell, const char *of, char *buf)
{
	struct json_object *o = doc_object(cell, of);
	const char *word = doc_text(cell, of);
	uint64_t ns;

	if (doc_number(o, "ns", &ns))
		return time_text(ns, buf);
	return word ? word : "-";
}

static void print_row(FILE *file, const char *way, uint64_t number, struct json_object *cell)
{
	char n[24], times[SCALE_ENDS + 2][TIME_TEXT], waits[2][96], both[200];
	const char *texts[NR_COLUMNS] = { way, n, time_of(cell, "attach", times[0]) };
	uint64_t ns;

	snprintf(n, sizeof(n), "%" PRIu64, number);
	for (int i = 0; i < SCALE_ENDS; i++)
		texts[3 + i] = time_of(cell, scale_ends[i], times[1 + i]);
	texts[6] = doc_number(cell, "hit_ns", &ns) ? time_text(ns, times[SCALE_ENDS + 1]) : "-";
	snprintf(both, sizeof(both), "%s / %s",
		 scale_waits_text(doc_object(cell, "attach"), waits[0], sizeof(waits[0])),
		 scale_waits_text(doc_object(cell, "close"), waits[1], sizeof(waits[1])));
	texts[7] = doc_object(cell, "attach") ? both : "";
	print_cells(file, texts);
}

/* Print the calls, descriptors and memory of the largest number, and the models. */
static void print_details(FILE *file, struct json_object *way, struct json_object *cell)
{
	static const char *const of[] = { "attach", "close", "exit", "kill" };
	struct json_object *attach = doc_object(cell, "attach"),
			   *models = doc_array(way, "models");
	struct text_parts line = { .len = 0 };
	uint64_t number, calls, closes, fds, memory, left, fixed, each, error;
	char a[TIME_TEXT], b[TIME_TEXT];

	if (!attach || !doc_number(cell, "number", &number) || !number)
		return;
	doc_number(attach, "calls", &calls);
	doc_number(doc_object(cell, "close"), "calls", &closes);
	doc_number(attach, "descriptors", &fds);
	text_add(&line, "%" PRIu64 " calls to attach, %" PRIu64 " to close, %" PRIu64
		 " descriptors", calls, closes, fds);
	if (doc_number(attach, "memory", &memory))
		text_add(&line, ", %" PRIu64 " bytes each", memory / number);
	if (doc_number(doc_object(cell, "exit"), "lines_left", &left) && left)
		text_add(&line, ", %" PRIu64 " lines of tracefs are left by exit", left);
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct json_object *m = doc_find(models, "of", of[i]);

		if (!doc_number(m, "fixed_ns", &fixed) || !doc_number(m, "each_ns", &each))
			continue;
		doc_number(m, "error_percent", &error);
		text_add(&line, "; %s: %s + %s each, %" PRIu64 " %% off", of[i],
			 time_text(fixed, a), time_text(each, b), error);
	}
	fprintf(file, "%*s", 2 * INDENT, "");
	text_paragraph(file, 2 * INDENT, 2 * INDENT, line.text);
}

static void print_error(FILE *file, struct json_object *way, const char *name)
{
	struct json_object *error = doc_object(way, "error");
	const char *text = doc_text(error, "text"), *reason = doc_text(error, "reason");
	struct text_parts line = { .len = 0 };
	uint64_t at;

	if (!text)
		return;
	doc_number(way, "refused_at", &at);
	text_add(&line, "%s, %" PRIu64 ": %s", name, at, text);
	if (reason)
		text_add(&line, " [%s]", reason);
	fprintf(file, "%*s", INDENT, "");
	text_paragraph(file, INDENT, 2 * INDENT, line.text);
}

/*
 * Print the rows of one way. If a row is skipped, the ones after it are skipped for the same
 * reason.
 */
static void print_way(FILE *file, struct json_object *way, bool all_rows)
{
	struct json_object *cells = doc_array(way, "cells"), *last = NULL;
	const char *name = doc_text(way, "way");
	bool skipped = false;
	uint64_t number;

	for (size_t i = 0; i < doc_len(cells) && !skipped; i++) {
		struct json_object *cell = doc_at(cells, i);

		skipped = !doc_object(cell, "attach");
		last = skipped ? last : cell;
		if (skipped && doc_is(cell, "close", "refused"))
			break;
		doc_number(cell, "number", &number);
		print_row(file, i ? "" : name ? name : "", number, cell);
	}
	print_error(file, way, name ? name : "");
	if (all_rows)
		print_details(file, way, last);
}

static void print_prediction(FILE *file, struct json_object *scale)
{
	struct json_object *p = doc_object(scale, "predict"), *ways = doc_array(scale, "ways");
	const uint64_t number = scale_largest(scale);
	const char *assumes = doc_text(p, "assumes");
	struct text_parts line = { .len = 0 };
	uint64_t cpus, hz, each;
	char time[TIME_TEXT];

	if (!p)
		return;
	doc_number(p, "cpus", &cpus);
	doc_number(p, "hz", &hz);
	text_add(&line, "with %" PRIu64 " CPUs and %" PRIu64 " Hz closing %" PRIu64 " takes", cpus,
		 hz, number);
	for (size_t i = 0; i < doc_len(ways); i++) {
		struct json_object *way = doc_at(ways, i),
				   *m = doc_find(doc_array(way, "models"), "of", "close");
		const char *kind = doc_text(way, "kind"), *name = doc_text(way, "way");
		uint64_t fixed;

		if (doc_number(m, "predicted_each_ns", &each) &&
		    doc_number(m, "predicted_fixed_ns", &fixed))
			text_add(&line, " %s (%s %s)", time_text(fixed + each * number, time),
				 kind ? kind : "", name ? name : "");
	}
	text_add(&line, "; if %s", assumes ? assumes : "");
	putc('\n', file);
	text_paragraph(file, 0, 2, line.text);
}

void scale_text(FILE *file, struct json_object *scale, bool all_rows)
{
	struct json_object *ways = doc_array(scale, "ways");
	const char *by = doc_text(scale, "waits_by"), *last = "";
	const char *texts[NR_COLUMNS];

	for (size_t i = 0; i < NR_COLUMNS; i++)
		texts[i] = head[i].text;
	for (size_t i = 0; i < doc_len(ways); i++) {
		struct json_object *way = doc_at(ways, i);
		const char *kind = doc_text(way, "kind");

		if (kind && strcmp(kind, last)) {
			const char *what = doc_text(way, "what");

			fprintf(file, "\n");
			last = kind;
			text_cell(file, kind, text_width(kind), true);
			fputs(": ", file);
			text_paragraph(file, text_width(kind) + 2, 2, what ? what : "");
			print_cells(file, texts);
		}
		print_way(file, way, all_rows);
	}
	print_prediction(file, scale);
	if (!by) {
		const char *why = doc_text(doc_object(scale, "no_waits"), "text");

		fputs("\nwaits are not counted: ", file);
		text_paragraph(file, 23, 2, why ? why : "");
	}
}
