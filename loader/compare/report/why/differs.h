/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A difference, and the choice of its explanation. */
#ifndef PLOAD_COMPARE_REPORT_WHY_DIFFERS_H
#define PLOAD_COMPARE_REPORT_WHY_DIFFERS_H

#include "loader/compare/report/report_internal.h"

/*
 * The answers of @row differ between the cells of one event. Or, between events, @cells has one
 * cell for each event: its name is that of the event, its "open" is the kind of the event.
 */
struct difference {
	const struct cells *cells;
	const struct row *row;
	bool is_between;
};

/* The explanation of differences whose measurements fit it. Its sentence is the page of @code. */
struct explanation {
	const char *code;	/* "differs/cookie" */
	const char *chapter;	/* "pload-compare(7), Cookies" */
};

/* explanation_find() - Return the first explanation that fits, or NULL. */
const struct explanation *explanation_find(const struct difference *d);

/*
 * differs_by_bind() - Return true if cells with a link answer alike, and all others otherwise; or,
 * for times, if all of the ones took longer than all of the others.
 */
bool differs_by_bind(const struct difference *d);

#endif
