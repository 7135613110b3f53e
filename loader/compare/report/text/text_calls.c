// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints the system calls of the cells, folded to the differences. */
#include <string.h>

#include "loader/compare/report/text/text.h"

/* More common calls than these are printed as a list of names. */
#define SAME_MAX 4

#define STEP_AT 2
#define SET_AT 10
#define CALL_AT 26

/* Return how many calls from @i on have one name and one error, as when files are searched for. */
static size_t run_of(struct json_object *lines, size_t i)
{
	const char *first = json_object_get_string(doc_at(lines, i));
	const char *result = strstr(first, ") = -1 ");
	const size_t name = strcspn(first, "(");
	size_t run = 1;

	for (; result && i + run < doc_len(lines); run++) {
		const char *next = json_object_get_string(doc_at(lines, i + run));
		const char *end = strstr(next, ") = -1 ");

		if (!end || strcmp(end, result) || strncmp(next, first, name + 1))
			break;
	}
	return run;
}

static void print_lines(FILE *file, const struct call_fold *fold)
{
	for (size_t i = 0, run; i < doc_len(fold->lines); i += run) {
		const char *line = json_object_get_string(doc_at(fold->lines, i));

		run = run_of(fold->lines, i);
		if (i)
			fprintf(file, "%*s", CALL_AT, "");
		text_paragraph(file, CALL_AT, CALL_AT + 2, line);
		if (run > 1)
			fprintf(file, "%*sand %zu more of these\n", CALL_AT + 2, "", run - 1);
	}
}

static bool print_fold(FILE *file, const struct cells *cells, const char *step,
		       const struct call_fold *fold)
{
	char name[CELLS_NAME];
	struct json_object *names;

	fprintf(file, "%*s%-*s", STEP_AT, "", SET_AT - STEP_AT, step);
	cells_name(cells, fold->set, name, sizeof(name));
	if (text_width(name) < CALL_AT - SET_AT) {
		text_cell(file, name, CALL_AT - SET_AT, false);
	} else {
		text_paragraph(file, SET_AT, SET_AT, name);
		fprintf(file, "%*s", CALL_AT, "");
	}
	if (!doc_len(fold->lines) || (fold->same && doc_len(fold->lines) > SAME_MAX)) {
		names = calls_names(fold->lines, false);
		if (!names)
			return false;
		text_paragraph(file, CALL_AT, CALL_AT, json_object_get_string(names));
		json_object_put(names);
	} else {
		print_lines(file, fold);
	}
	return true;
}

bool text_calls(FILE *file, const struct cells *cells)
{
	bool any = false, ok = true;

	for (unsigned int s = 0; ok && s < sizeof(call_steps) / sizeof(call_steps[0]); s++) {
		struct call_fold folds[FOLDS_MAX];
		const int nr = calls_fold(cells, call_steps[s], folds);

		ok = nr >= 0;
		if (nr > 0 && !any)
			fputs("\n  system calls, folded to the differences\n", file);
		any |= nr > 0;
		for (int i = 0; ok && i < nr; i++)
			ok = print_fold(file, cells, i ? "" : call_steps[s], &folds[i]);
		calls_free(folds, nr);
	}
	return ok;
}
