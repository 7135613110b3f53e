/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Three JSON documents about a run of the suite, for other programs and for runs on other kernels.
 */
#ifndef PLOAD_REGRESS_RECORD_H
#define PLOAD_REGRESS_RECORD_H

#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "test/regress/harness/suite.h"

/* --- a file that is opened before anything runs, and written at the end --- */

struct report {
	const char *path;	/* NULL: none is wanted */
	FILE *file;		/* owned; NULL: "-" */
};

/* report_open() - false if it cannot be written, which is reported on standard error. */
bool report_open(struct report *report, const char *path, bool lines);

/*
 * report_close() - write @json (which is consumed) to it. false if that fails, which is reported on
 * standard error.
 */
bool report_close(struct report *report, struct json_object *json);

/*
 * report_make_utf8() - replace each byte of @text that is not UTF-8: a test may have printed
 * anything, but JSON and XML are UTF-8.
 */
void report_make_utf8(char *text);

/* junit_close() - write the results as JUnit XML. Returns false like report_close(). */
bool junit_close(struct report *report, const struct suite *suite);

/* causes_say() - print each sentence with which several tests failed, and their number. */
void causes_say(const struct suite *suite);

/* record_of() - the answers that this kernel gave, in the form described in docs/regress.md. */
struct json_object *record_of(const struct suite *suite);

/* record_lines() - print the behaviors in it, one per line. */
void record_lines(const struct suite *suite);

/*
 * summary_of() - a summary like that of the kernel's test_progs --json-summary; @all: including the
 * tests that did not fail.
 */
struct json_object *summary_of(const struct suite *suite, bool all);

/* --- another kernel's record --- */

/*
 * against_open() - read the record in @path. NULL if it is not a record of this suite, which is
 * reported on standard error.
 */
struct json_object *against_open(const char *path);

/* against_say() - print the differences, one per line. Returns their number. */
unsigned int against_say(struct json_object *there, const struct suite *suite);

#endif
