/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Differences and changes shown together, and the line that counts the differences. */
#ifndef PLOAD_COMPARE_REPORT_WHY_TOGETHER_H
#define PLOAD_COMPARE_REPORT_WHY_TOGETHER_H

#include "loader/compare/report/report_internal.h"

/**
 * differences_visit() - Visit the differences of @doc, grouped by explanation.
 * @between: only those between events.
 * @begin: called with the first difference of each explanation; of those without one, of each row.
 * @line: called then for each of them with a text such as "WHAT: ANSWERS (EVENTS)".
 *
 * Both return false for ENOMEM, which ends the visit.
 * Return: false for ENOMEM.
 */
bool differences_visit(struct json_object *doc, bool between,
		       bool (*begin)(void *arg, struct json_object *difference),
		       bool (*line)(void *arg, const char *text), void *arg);

/* change_same() - Return true if two changes of "against" are the same one of different cells. */
bool change_same(struct json_object *a, struct json_object *b);

/*
 * report_counts() - Format "3 events, 8 of 12 cells fire; 9 differences, all explained; 2 times
 * differ". The differences are those of answers and calls, which do not vary from run to run.
 */
#define COUNTS_TEXT 160
const char *report_counts(struct json_object *doc, char *buf);

#endif
