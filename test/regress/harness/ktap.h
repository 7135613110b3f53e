/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Results on standard output: KTAP version 1, Documentation/dev-tools/ktap.rst of the kernel. */
#ifndef PLOAD_REGRESS_KTAP_H
#define PLOAD_REGRESS_KTAP_H

#include "test/regress/harness/suite.h"

/*
 * ktap_name_by_id() - use ids as the names of results; the sentence and the reason become
 * diagnostics.
 */
void ktap_name_by_id(void);

/* ktap_begin() - print the version. Diagnostics that follow it precede the plan. */
void ktap_begin(void);
void ktap_plan(unsigned int nr);

/* ktap_say() - print a diagnostic line. */
void ktap_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A group, or a part of it that runs without others in between. */
struct ktap_block {
	const char *name;
	unsigned int number, nr;
	struct suite_totals totals;
	char why[2048];		/* why all its tests were skipped, if for one reason; else "" */
};

void ktap_block(struct ktap_block *block);

/* ktap_lines() - print a text of several lines as diagnostics of the test whose result follows. */
void ktap_lines(const char *text);

/*
 * ktap_result() - print the result of @test, as "ok 1 a fact [ID]". @timed_out: it failed because
 * it took too long.
 */
void ktap_result(struct ktap_block *block, const struct suite_test *test,
		 const struct regress_shared *shared, bool timed_out);
void ktap_block_end(const struct ktap_block *block);

/*
 * ktap_saw() - print a behavior as "# saw: GROUP/TEST: KEY: VALUE"; ": " in the names becomes "\:
 * ".
 */
void ktap_saw(const char *group, const char *test, const char *key, const char *value);

void ktap_totals(const struct suite_totals *totals);

#endif
