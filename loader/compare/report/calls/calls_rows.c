// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Convert the folded calls to rows, whose answers are the calls that differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/base/text/text_stream.h"
#include "loader/compare/report/report_internal.h"

/* Print the names of the calls, consecutive ones once: "openat x3, read, close". */
static void put_names(FILE *to, struct json_object *lines)
{
	for (size_t i = 0, run; i < doc_len(lines); i += run) {
		const char *line = json_object_get_string(doc_at(lines, i));
		const int n = (int)strcspn(line, "(");

		for (run = 1; i + run < doc_len(lines); run++) {
			const char *next = json_object_get_string(doc_at(lines, i + run));

			if ((int)strcspn(next, "(") != n || strncmp(line, next, n))
				break;
		}
		fprintf(to, "%s%.*s", i ? ", " : "", n, line);
		if (run > 1)
			fprintf(to, " x%zu", run);
	}
}

struct json_object *calls_names(struct json_object *lines, bool whole)
{
	struct text_stream to;

	if (!text_stream_open(&to))
		return NULL;
	for (size_t i = 0; whole && i < doc_len(lines); i++)
		fprintf(to.file, "%s%s", i ? "; " : "", json_object_get_string(doc_at(lines, i)));
	if (!whole)
		put_names(to.file, lines);
	if (!doc_len(lines))
		fputs("nothing more", to.file);
	return doc_string(text_stream_close(&to));
}

/* Return true unless two sets of cells make different calls of the same names. */
static bool are_names_enough(const struct call_fold *folds, int nr)
{
	struct json_object *names[FOLDS_MAX];
	bool enough = true;

	for (int i = 0; i < nr; i++) {
		names[i] = folds[i].same ? NULL : calls_names(folds[i].lines, false);
		for (int j = 0; names[i] && j < i; j++)
			if (names[j] && json_object_equal(names[i], names[j]))
				enough = false;
	}
	for (int i = 0; i < nr; i++)
		json_object_put(names[i]);
	return enough;
}

static bool add_folds(struct json_object *by_cell, const struct cells *cells,
		      const struct call_fold *folds, int nr)
{
	const bool whole = !are_names_enough(folds, nr);
	bool ok = nr >= 0;

	for (int f = 0; f < nr; f++) {
		struct json_object *answer =
			folds[f].same ? NULL : calls_names(folds[f].lines, whole);

		ok = ok && (folds[f].same || answer);
		for (unsigned int i = 0; ok && answer && i < cells->nr; i++) {
			struct json_object *cell;

			if (!(folds[f].set & 1u << i))
				continue;
			cell = json_object_new_object();
			value_add(cell, "answer", json_object_get(answer));
			ok = doc_add_copied(by_cell, cells->list[i].name, cell);
		}
		json_object_put(answer);
	}
	return ok;
}

static bool add_step(struct json_object *rows, const struct cells *cells, const char *step)
{
	struct json_object *row = json_object_new_object(), *by_cell = json_object_new_object();
	struct call_fold folds[FOLDS_MAX];
	const int nr = calls_fold(cells, step, folds);
	char what[32];
	const bool ok = add_folds(by_cell, cells, folds, nr);

	snprintf(what, sizeof(what), "calls to %s", step);
	calls_free(folds, nr);
	value_add_string(row, "id", step);
	value_add_string(row, "what", what);
	value_add(row, "cells", doc_finish(by_cell, ok));
	return value_append(rows, row);
}

struct json_object *calls_section(const struct cells *cells)
{
	struct json_object *section = rows_new("calls", "system calls");
	bool ok = section;

	for (unsigned int i = 0; ok && i < sizeof(call_steps) / sizeof(call_steps[0]); i++)
		ok = add_step(doc_array(section, "rows"), cells, call_steps[i]);
	return doc_finish(section, ok);
}
