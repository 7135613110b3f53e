/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Three JSON documents about a run of the suite, for other programs and for runs on other kernels.
 */
#ifndef PLOAD_REGRESS_RECORD_H
#define PLOAD_REGRESS_RECORD_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "test/regress/harness/suite.h"

/* --- a file that is written at the end, and opened before anything runs --- */

struct report {
	const char *path;	/* NULL: none is wanted */
	FILE *file;		/* owned; NULL: "-" */
};

/* report_open() - false: it cannot be written, which standard error reports. */
bool report_open(struct report *report, const char *path, bool lines);

/*
 * report_close() - write @json (which is consumed) into it. false: it cannot be written, which
 * standard error reports.
 */
bool report_close(struct report *report, struct json_object *json);

/*
 * report_make_utf8() - replace each byte of @text that is no UTF-8: a test may have printed anything,
 * and JSON and XML are UTF-8.
 */
void report_make_utf8(char *text);

/* junit_close() - write the results as JUnit's XML. Returns false as report_close() does. */
bool junit_close(struct report *report, const struct suite *suite);

/* causes_say() - print each sentence with which several tests have failed, and their number. */
void causes_say(const struct suite *suite);

/* record_of() - the answers that were seen on this kernel, in the form of docs/regress.md. */
struct json_object *record_of(const struct suite *suite);

/* record_lines() - the behaviours of it, as lines on standard output. */
void record_lines(const struct suite *suite);

/*
 * summary_of() - the summary that the kernel's test_progs --json-summary writes; @all: with the
 * tests that did not fail.
 */
struct json_object *summary_of(const struct suite *suite, bool all);

/* --- another kernel's record --- */

/*
 * against_open() - read the record in @path. NULL: it is not a record of this suite, which standard
 * error reports.
 */
struct json_object *against_open(const char *path);

/* against_say() - print the differences as lines on standard output. Returns their number. */
unsigned int against_say(struct json_object *there, const struct suite *suite);

#endif
