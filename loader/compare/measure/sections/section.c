// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fill a section: each cell that fires answers each row once. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loader/compare/measure/sections/section.h"
#include "loader/base/text/names.h"

int section_begin(struct section *s, struct json_object *event, const char *id, const char *title,
		  const struct section_row *rows, unsigned int nr, struct error *err)
{
	struct json_object *section = doc_section(event, id, title);

	*s = (struct section){ .id = id, .nr = nr };
	for (unsigned int i = 0; section && i < nr; i++) {
		s->rows[i] = doc_row(section, rows[i].id, rows[i].what);
		if (!s->rows[i])
			section = NULL;
	}
	return section ? 0 : error_set(err, ENOMEM, "no memory for section '%s'", id);
}

void section_cell(struct section *s, const struct compare_cell *cell)
{
	s->cell = cell;
	memset(s->answered, 0, sizeof(s->answered));
}

static void put(struct section *s, unsigned int row, const char *word, const char *detail,
		const struct error *err)
{
	if (s->answered[row])
		return;
	s->answered[row] = true;
	s->no_memory |= !doc_answer(s->rows[row], s->cell->name, word, detail, err);
}

void section_put(struct section *s, unsigned int row, const char *word, const char *fmt, ...)
{
	char detail[512];
	va_list ap;

	if (fmt) {
		va_start(ap, fmt);
		vsnprintf(detail, sizeof(detail), fmt, ap);
		va_end(ap);
	}
	put(s, row, word, fmt ? detail : NULL, NULL);
}

static const char *errno_word(const struct error *err, char *buf, size_t size)
{
	const char *name = sys_errno_name(-err->code);

	snprintf(buf, size, "%d", err->code);
	return name ? name : buf;
}

void section_refused(struct section *s, unsigned int row, struct error *err)
{
	char number[16];

	put(s, row, errno_word(err, number, sizeof(number)), NULL, err);
	error_clear(err);
}

void section_put_runs(struct section *s, unsigned int row, int runs, const char *none)
{
	struct error err = { 0 };

	if (runs >= 0) {
		section_put(s, row, runs ? "runs" : none, NULL);
		return;
	}
	error_set(&err, -runs, "BPF_MAP_LOOKUP_ELEM: %s: how often it ran is not known",
		  error_strerror(-runs));
	section_refused(s, row, &err);
}

void section_rest(struct section *s, unsigned int row, unsigned int last, struct error *err)
{
	char number[16];

	for (; row <= last; row++)
		put(s, row, errno_word(err, number, sizeof(number)),
		    "this could not be tried because an earlier step failed", err);
	error_clear(err);
}

void section_untried(struct section *s, unsigned int row, unsigned int last, struct error *err)
{
	for (; row <= last; row++)
		put(s, row, "not tried", NULL, err);
	error_clear(err);
}

/* Answer every row that the current cell has not answered. */
static void fill(struct section *s)
{
	for (unsigned int row = 0; row < s->nr; row++)
		put(s, row, "not tried", "a requirement was not met", NULL);
}

/* --- the cells that answer --- */

/* Return true if the cell called @name is in "cells" and fires. */
static bool fires(struct json_object *cells, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(cells); i++) {
		struct json_object *cell = json_object_array_get_idx(cells, i), *is, *outcome;

		if (json_object_object_get_ex(cell, "cell", &is) &&
		    json_object_object_get_ex(cell, "outcome", &outcome) &&
		    !strcmp(json_object_get_string(is), name))
			return !strcmp(json_object_get_string(outcome), "fires");
	}
	return false;
}

bool section_any_fires(const struct compare_subject *s, struct json_object *event)
{
	struct json_object *cells;

	if (!json_object_object_get_ex(event, "cells", &cells))
		return false;
	for (int i = 0; i < COMPARE_NR_CELLS; i++)
		if (fires(cells, s->cells[i].name))
			return true;
	return false;
}

int section_each_fires(const struct compare_subject *s, struct json_object *event,
		       struct section *section, section_try *call, void *arg, struct error *err)
{
	struct json_object *cells;

	if (!json_object_object_get_ex(event, "cells", &cells))
		return 0;
	for (int i = 0; i < COMPARE_NR_CELLS && !compare_stopped(s); i++) {
		if (!fires(cells, s->cells[i].name))
			continue;
		section_cell(section, &s->cells[i]);
		call(arg, s, &s->cells[i]);
		fill(section);
	}
	if (section->no_memory)
		return error_set(err, ENOMEM, "no memory for section '%s'", section->id);
	return 0;
}
