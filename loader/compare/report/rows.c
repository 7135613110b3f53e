// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows of answers: reading them, grouping cells with equal answers, finding differences. */
#include <stdio.h>
#include <string.h>

#include "loader/compare/report/report_internal.h"

void row_read(struct row *row, const struct cells *cells, struct json_object *section,
	      struct json_object *json)
{
	struct json_object *by_cell = doc_object(json, "cells");

	memset(row, 0, sizeof(*row));
	row->section = doc_text(section, "id");
	row->id = doc_text(json, "id");
	row->what = doc_text(json, "what");
	row->is_note = doc_true(json, "note");
	if (!row->section)
		row->section = "";
	if (!row->id)
		row->id = row->what ? row->what : "";
	if (!row->what)
		row->what = row->id;
	for (unsigned int i = 0; i < cells->nr; i++) {
		struct json_object *cell = doc_object(by_cell, cells->list[i].name);

		row->answer[i] = doc_text(cell, "answer");
		row->detail[i] = doc_text(cell, "detail");
		row->reason[i] = doc_text(doc_object(cell, "error"), "reason");
		if (row->answer[i])
			row->has |= 1u << i;
		if (row->answer[i] && doc_number(cell, "ns", &row->ns[i]))
			row->timed |= 1u << i;
		if (!doc_number(cell, "low_ns", &row->low[i]) || row->low[i] > row->ns[i])
			row->low[i] = row->ns[i];
		if (!doc_number(cell, "high_ns", &row->high[i]) || row->high[i] < row->ns[i])
			row->high[i] = row->ns[i];
	}
}

unsigned int row_groups(const struct row *row, struct row_group *groups)
{
	unsigned int nr = 0, j;

	for (unsigned int i = 0; i < CELLS_MAX; i++) {
		if (!(row->has & 1u << i))
			continue;
		for (j = 0; j < nr && strcmp(groups[j].answer, row->answer[i]); j++)
			;
		if (j == nr)
			groups[nr++] = (struct row_group){ row->answer[i], 0 };
		groups[j].set |= 1u << i;
	}
	return nr;
}

/* Compare the fastest cell with the slowest: see report_differences(). */
static bool times_differ(const struct row *row)
{
	int least = -1, most = -1;

	for (int i = 0; i < CELLS_MAX; i++) {
		if (!(row->timed & 1u << i))
			continue;
		if (least < 0 || row->ns[i] < row->ns[least])
			least = i;
		if (most < 0 || row->ns[i] > row->ns[most])
			most = i;
	}
	return least >= 0 && (double)row->ns[most] >= REPORT_TIME_FACTOR * (double)row->ns[least] &&
	       row->high[least] < row->low[most];
}

bool row_differs(const struct row *row)
{
	struct row_group groups[CELLS_MAX];

	if (row->is_note)
		return false;
	if (row->timed)
		return times_differ(row);
	return row_groups(row, groups) > 1;
}

const char *time_text(uint64_t ns, char *buf)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const double value = (double)ns / units[i].ns;

		if (ns < units[i].ns)
			continue;
		if (value >= 1e6)
			snprintf(buf, TIME_TEXT, "%.3g %s", value, units[i].name);
		else
			snprintf(buf, TIME_TEXT, "%.*f %s",
				 value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[i].name);
		return buf;
	}
	snprintf(buf, TIME_TEXT, "%u ns", (unsigned int)ns);
	return buf;
}

#define TEXT_OF(n) #n
#define NUMBER_TEXT(n) TEXT_OF(n)

const char *rounds_note(uint64_t rounds)
{
	return rounds >= REPORT_TIME_ROUNDS ? " with their quartiles" :
	       " (times are compared from " NUMBER_TEXT(REPORT_TIME_ROUNDS) " on: --rounds)";
}
