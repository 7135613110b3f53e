/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What `pload compare` has measured, shown: as text, as a page, beside an earlier measurement. */
#ifndef PLOAD_TOOLS_REPORT_REPORT_H
#define PLOAD_TOOLS_REPORT_REPORT_H

#include <stdio.h>

#include <json-c/json_object.h>

#include "elf/error.h"

/*
 * A document is the message of type "compare" that docs/compare.md describes, and all that this
 * room knows. It may come from a file that anybody has written: what is missing or of another type
 * than it should be is left out, and nothing in it is trusted to be short, unique or printable.
 */

/* The "version" of documents that this pload writes, and the newest that it reads. */
#define REPORT_VERSION 1

/* A file of more bytes is no document. */
#define REPORT_SIZE_MAX (64u << 20)

/*
 * report_parse() - the document that the @size bytes of @text are, for json_object_put(). Fails
 * with "report/not-json", "report/other" for JSON that is something else, "report/newer", and
 * -ENOMEM.
 */
int report_parse(const char *text, size_t size, struct json_object **doc, struct error *err);

/*
 * report_differences() - what differs between the cells of each event of @doc, and between its
 * events, in the order of the rows: an array of
 *
 *	{ "event": NAME and "program", or null between events, "section", "row", "what",
 *	  "answers": {CELL (or EVENT): ANSWER}, "explained": CODE or null, "text", "chapter" }
 *
 * A time differs when one cell takes REPORT_TIME_FACTOR times as long as another, and 99 of 100
 * rounds of the faster one are below the median of the slower one; of less than REPORT_TIME_ROUNDS
 * rounds nothing is concluded. An explanation is chosen by what was measured; "explained" is null
 * where none fits. NULL is ENOMEM.
 */
#define REPORT_TIME_FACTOR 1.5
#define REPORT_TIME_ROUNDS 8
struct json_object *report_differences(struct json_object *doc);

/*
 * report_against() - what has changed from document @then to @now: {"kernel": that of @then,
 * "changes": an array of {"event", "section", "row", "what", "cell", "then", "now", "time": bool},
 * "only_then", "only_now": events}. What only one of them has measured is not compared. Times are
 * said to have changed from REPORT_AGAINST_FACTOR on, which is more than two runs on one machine
 * differ by, and when both have REPORT_TIME_ROUNDS rounds. NULL is ENOMEM.
 */
#define REPORT_AGAINST_FACTOR 2.0
struct json_object *report_against(struct json_object *then, struct json_object *now);

/*
 * report_text() - at most 100 columns, as long as no single word is longer. report_html() - one
 * page that loads nothing and runs nothing. Both show "differences" and "against" if @doc has them;
 * whether @file took it all is for the caller to ask.
 */
void report_text(FILE *file, struct json_object *doc);
void report_html(FILE *file, struct json_object *doc);

#endif
