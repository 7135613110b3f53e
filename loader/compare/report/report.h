/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The report of `pload compare`: a document, its differences and changes, as text and as a page. */
#ifndef PLOAD_COMPARE_REPORT_REPORT_H
#define PLOAD_COMPARE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "elf/error.h"

/*
 * A document is the message of type "compare" that docs/compare.md describes. It may come from an
 * untrusted file: members that are missing or have the wrong type are ignored, and none is assumed
 * to be short, unique or printable.
 */

/* The "version" of documents that this pload writes, and the newest that it reads. */
#define REPORT_VERSION 1

#define REPORT_SIZE_MAX (64u << 20)

/**
 * report_parse() - Parse the document in the @size bytes of @text.
 * @doc: new, for json_object_put(); NULL on failure.
 *
 * Return: 0 or -errno: "report/not-json", "report/other" for other JSON, "report/newer", -ENOMEM.
 */
int report_parse(const char *text, size_t size, struct json_object **doc, struct error *err);

/**
 * report_differences() - List the differences between the cells of each event, and between events.
 *
 * The list is an array, in the order of the rows, of
 *
 *	{ "event": NAME and "program", or null between events, "section", "row", "what",
 *	  "time": bool, "answers": {CELL (or EVENT): ANSWER}, "explained": CODE or null, "text",
 *	  "chapter" }
 *
 * A time differs if one cell takes REPORT_TIME_FACTOR times as long as another, and three of four
 * rounds of the faster one are shorter than three of four rounds of the slower one. Disturbances
 * make a round longer, so quartiles are reliable where the slowest of 100 rounds is random; a time
 * near the factor may still differ in one run and not in the next. Times of fewer than
 * REPORT_TIME_ROUNDS rounds are not compared. The measurements select the explanation; "explained"
 * is null if none fits.
 * Return: new, or NULL for ENOMEM.
 */
#define REPORT_TIME_FACTOR 1.5
#define REPORT_TIME_ROUNDS 8
struct json_object *report_differences(struct json_object *doc);

/**
 * report_verdict() - Recommend a method, in an array of at most three sentences.
 *
 * They are about the methods of --attach=: which one to use, what it can do that others cannot,
 * when another one is better, and what each costs. Everything follows from measurements in @doc;
 * what was not measured is not mentioned. The array is empty if no cell has a method.
 * Return: new, or NULL for ENOMEM.
 */
struct json_object *report_verdict(struct json_object *doc);

/**
 * report_against() - List the changes from document @then to document @now.
 *
 *	{"kernel": that of @then,
 *	 "changes": [{"event", "section", "row", "what", "cell", "then", "now", "time": bool}...],
 *	 "only_then": [EVENT...], "only_now": [EVENT...]}
 *
 * Events and sections found in only one document are not compared. A time has changed if it differs
 * by REPORT_AGAINST_FACTOR, more than usual between two runs on one machine, and both have
 * REPORT_TIME_ROUNDS rounds.
 * Return: new, or NULL for ENOMEM.
 */
#define REPORT_AGAINST_FACTOR 2.0
struct json_object *report_against(struct json_object *then, struct json_object *now);

/**
 * report_text() - Print the verdict and the rows that differ, in lines of at most 100 columns.
 * report_text_all_rows() - Print all rows and the system calls as well.
 * report_html() - Write one HTML page with @doc inside, which loads nothing from elsewhere.
 *
 * All show "verdict", "differences" and "against" if @doc has them. The caller checks @file for
 * errors.
 * Return: false if out of memory, which leaves the report incomplete.
 */
bool report_text(FILE *file, struct json_object *doc);
bool report_text_all_rows(FILE *file, struct json_object *doc);
bool report_html(FILE *file, struct json_object *doc);

/* report_csv() - Print what many attachments cost (--scale) as comma-separated values. */
bool report_csv(FILE *file, struct json_object *doc);

#endif
