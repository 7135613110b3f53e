// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times as bars, and the system calls of each cell in order. */
#include <stdlib.h>
#include <string.h>

#include "loader/tools/report/html/html.h"

/* Bars are so many units wide, whatever the page is. */
#define WIDE 1000

static uint64_t part(uint64_t ns, uint64_t most)
{
	const double x = most ? (double)ns / (double)most * WIDE : 0;

	return x >= WIDE ? WIDE : x < 1 && ns ? 1 : (uint64_t)x;
}

static void rect(struct html *h, const char *class_name, uint64_t x, uint64_t width)
{
	html_open(h, "rect");
	html_class(h, class_name);
	html_attr_number(h, "x", x);
	html_attr_number(h, "width", width);
	html_attr_number(h, "height", 10);
	html_close(h);
}

static void begin_svg(struct html *h)
{
	html_open(h, "svg");
	html_attr(h, "viewBox", "0 0 1000 10");
	html_attr(h, "preserveAspectRatio", "none");
	html_attr(h, "height", "10");
	html_attr(h, "aria-hidden", "true");	/* the numbers stand beside it */
}

/* Colours are those of the steps. */
static const char *const colours[] = { "s0", "s1", "s2", "s3" };
static const char *const step_class[] = { "step k0", "step k1", "step k2", "step k3" };

static void bars_of(struct html *h, const struct cells *cells, const struct row *row,
		    const char *colour)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i < cells->nr; i++)
		if (row->timed & 1u << i && row->ns[i] > most)
			most = row->ns[i];
	html_open(h, "figure");
	html_leaf(h, "figcaption", NULL, row->what);
	for (unsigned int i = 0; i < cells->nr; i++) {
		if (!(row->timed & 1u << i))
			continue;
		html_open(h, "div");
		html_class(h, "bar");
		html_leaf(h, "span", NULL, cells->list[i].name);
		begin_svg(h);
		rect(h, "track", 0, WIDE);
		rect(h, colour, 0, part(row->ns[i], most));
		html_close(h);
		html_leaf(h, "span", NULL, row->answer[i]);
		html_close(h);
	}
	html_close(h);
}

void html_bars(struct html *h, const struct cells *cells, struct json_object *section)
{
	struct json_object *rows = doc_array(section, "rows");
	unsigned int nr = 0;
	struct row row;

	for (size_t i = 0; i < doc_len(rows); i++) {
		row_read(&row, cells, section, doc_at(rows, i));
		if (!row.timed)
			continue;
		if (!nr++) {
			html_leaf(h, "h3", NULL, "Times and costs");
			html_leaf(h, "p", "soft small",
				  "Times are medians; each box has a scale of its own, from 0 to its "
				  "longest. Work is what makes the event happen once.");
			html_open(h, "div");
			html_class(h, "bars");
		}
		bars_of(h, cells, &row, colours[nr <= 4 ? nr - 1 : 0]);
	}
	if (nr)
		html_close(h);
}

/* --- the calls --- */

static const char *step_text(const struct cell *cell, const char *step, uint64_t *ns, char *buf)
{
	char text[TIME_TEXT];

	if (doc_number(doc_object(doc_get(cell->json, "times"), step), "median_ns", ns))
		snprintf(buf, 64, "%s %s:", step, time_text(*ns, text));
	else
		snprintf(buf, 64, "%s:", step);
	return buf;
}

/* A call, and how many of its name follow it. */
static size_t chip(struct html *h, const struct call_fold *fold, size_t i)
{
	const char *line = json_object_get_string(doc_at(fold->lines, i));
	const size_t n = strcspn(line, "(");
	char text[96];
	size_t run = 1;

	for (; i + run < doc_len(fold->lines); run++) {
		const char *next = json_object_get_string(doc_at(fold->lines, i + run));

		if (strcspn(next, "(") != n || strncmp(line, next, n))
			break;
	}
	if (run > 1)
		snprintf(text, sizeof(text), "%.*s x%zu", (int)(n < 64 ? n : 64), line, run);
	else
		snprintf(text, sizeof(text), "%.*s", (int)(n < 64 ? n : 64), line);
	html_open(h, "li");
	html_class(h, fold->same ? NULL : "own");
	html_attr(h, "title", line);
	html_text(h, text);
	html_close(h);
	return run;
}

struct folded {
	struct call_fold list[4][FOLDS_MAX];
	unsigned int nr[4];
};

static void scale(struct html *h, const struct cell *cell, uint64_t most)
{
	uint64_t x = 0, ns, width;

	begin_svg(h);
	rect(h, "track", 0, WIDE);
	for (unsigned int s = 0; s < 4; s++) {
		if (!doc_number(doc_object(doc_get(cell->json, "times"), call_steps[s]),
				"median_ns", &ns))
			continue;
		width = part(ns, most);
		if (x + width > WIDE)
			width = WIDE - x;
		rect(h, colours[s], x, width);
		x += width;
	}
	html_close(h);
}

static void lane(struct html *h, const struct cells *cells, unsigned int which,
		 const struct folded *f, uint64_t most)
{
	const struct cell *cell = &cells->list[which];
	char text[64];
	uint64_t ns;

	html_open(h, "div");
	html_class(h, "lane");
	html_leaf(h, "h4", NULL, cell->name);
	html_open(h, "ol");
	html_class(h, "calls");
	for (unsigned int s = 0; s < 4; s++) {
		bool any = false;

		for (unsigned int i = 0; i < f->nr[s]; i++) {
			const struct call_fold *fold = &f->list[s][i];

			if (!(fold->set & 1u << which) || !doc_len(fold->lines))
				continue;
			if (!any)
				html_leaf(h, "li", step_class[s],
					  step_text(cell, call_steps[s], &ns, text));
			any = true;
			for (size_t c = 0; c < doc_len(fold->lines);)
				c += chip(h, fold, c);
		}
	}
	html_close(h);
	if (most)
		scale(h, cell, most);
	html_close(h);
}

/* The sum of all steps of the slowest cell. */
static uint64_t longest(const struct cells *cells)
{
	uint64_t most = 0, sum, ns;

	for (unsigned int i = 0; i < cells->nr; i++) {
		sum = 0;
		for (unsigned int s = 0; s < 4; s++)
			if (doc_number(doc_object(doc_get(cells->list[i].json, "times"),
						  call_steps[s]), "median_ns", &ns) &&
			    sum + ns >= sum)
				sum += ns;
		most = sum > most ? sum : most;
	}
	return most;
}

static void whole_calls(struct html *h, const struct cells *cells, const struct folded *f)
{
	char name[CELLS_NAME];

	html_open(h, "details");
	html_leaf(h, "summary", NULL, "The calls with their arguments, folded to what differs");
	html_open(h, "pre");
	for (unsigned int s = 0; s < 4; s++) {
		for (unsigned int i = 0; i < f->nr[s]; i++) {
			const struct call_fold *fold = &f->list[s][i];

			html_text(h, call_steps[s]);
			html_text(h, ", ");
			html_text(h, cells_name(cells, fold->set, name, sizeof(name)));
			html_text(h, doc_len(fold->lines) ? ":" : ": nothing more");
			fputc('\n', h->file);
			for (size_t c = 0; c < doc_len(fold->lines); c++) {
				html_text(h, "  ");
				html_text(h, json_object_get_string(doc_at(fold->lines, c)));
				fputc('\n', h->file);
			}
		}
	}
	html_close(h);
	html_close(h);
}

void html_timeline(struct html *h, const struct cells *cells)
{
	struct folded *f = calloc(1, sizeof(*f));
	unsigned int nr = 0;

	for (unsigned int s = 0; f && s < 4; s++)
		nr += f->nr[s] = calls_fold(cells, call_steps[s], f->list[s]);
	if (nr) {
		html_leaf(h, "h3", NULL, "System calls in order");
		html_leaf(h, "p", "soft small",
			  "Marked: calls that not all cells make alike. The bar below is the time of "
			  "all steps, on one scale for all cells.");
		html_open(h, "div");
		html_class(h, "box");
		for (unsigned int i = 0; i < cells->nr; i++)
			lane(h, cells, i, f, longest(cells));
		html_close(h);
		whole_calls(h, cells, f);
	}
	for (unsigned int s = 0; f && s < 4; s++)
		calls_free(f->list[s], f->nr[s]);
	free(f);
}
