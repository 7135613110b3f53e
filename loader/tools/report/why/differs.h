/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explanations of differences, and how one is chosen. */
#ifndef PLOAD_TOOLS_REPORT_WHY_DIFFERS_H
#define PLOAD_TOOLS_REPORT_WHY_DIFFERS_H

#include "loader/tools/report/report_internal.h"

/* A difference between the cells of one event, or (@cells: one for each event) between events. */
struct difference {
	const struct cells *cells;
	const struct row *row;
};

/*
 * One explanation. Of those whose row it is, the first whose predicate fits is taken: the predicate
 * looks at what was measured, and at nothing else.
 */
struct explanation {
	const char *section, *row;	/* fnmatch(3) */
	bool (*fits)(const struct difference *d);
	const char *code;	/* of its page: pload explain CODE */
	const char *text;	/* the sentence */
	const char *chapter;	/* "docs/compare.md#cookies" */
};

/* explanation_find() - NULL: nobody has explained it yet. explanation_between(): between events. */
const struct explanation *explanation_find(const struct difference *d);
const struct explanation *explanation_between(const struct difference *d);

/* explanation_pick() - the first of @nr that fits, or NULL. */
const struct explanation *explanation_pick(const struct explanation *table, size_t nr,
					   const struct difference *d);

/* --- predicates.c --- */

/* All cells of @set have answered, and each with an answer that begins with @text. */
bool answers_begin(const struct row *row, unsigned int set, const char *text);

/*
 * Cells that are opened (bound) alike answer alike, and the others otherwise; of times, all of the
 * ones are longer than all of the others. by_kind(): counted events, traced events.
 */
bool by_open(const struct difference *d);
bool by_bind(const struct difference *d);
bool by_kind(const struct difference *d);

/* are_slower() - each of @slow takes longer than each of @fast. */
bool are_slower(const struct row *row, unsigned int slow, unsigned int fast);

#endif
