/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Differences that one explanation does for, as lines. */
#ifndef PLOAD_TOOLS_REPORT_WHY_TOGETHER_H
#define PLOAD_TOOLS_REPORT_WHY_TOGETHER_H

#include "loader/tools/report/report_internal.h"

/*
 * differences_together() - call @line for difference @first of @doc and each that has its
 * explanation (of those without one: its row), with "WHAT: ANSWERS (EVENTS)"; marks them in @done,
 * which has a place for each.
 */
void differences_together(struct json_object *doc, size_t first, bool *done,
			  void (*line)(void *arg, const char *text), void *arg);

/* change_same() - whether two changes of "against" are the same one of different cells. */
bool change_same(struct json_object *a, struct json_object *b);

/* How many there are, in words: "3 events, 8 of 12 cells fire; 9 differences, all explained". */
#define COUNTS_TEXT 160
const char *report_counts(struct json_object *doc, char *buf);

#endif
