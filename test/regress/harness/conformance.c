// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The results by part of the ABI, for who implements it: a test is one statement about it. */
#include <string.h>

#include "test/regress/harness/conformance.h"
#include "test/regress/harness/ktap.h"
#include "test/regress/harness/profiles.h"

/* A test that fails although it may differ has crashed, hung or left something behind, which no test may. */
static bool is_must(const struct suite_test *test)
{
	return !test->may_differ || suite_state(test) == REGRESS_FAILED;
}

static void count(const struct suite *suite, const char *area, bool must, struct suite_totals *totals)
{
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		const enum regress_state state = suite_state(test);

		if (strcmp(profiles_area(test->group->name), area) || must != is_must(test))
			continue;
		totals->passed += state == REGRESS_PASSED;
		totals->failed += state == REGRESS_FAILED;
		totals->differed += state == REGRESS_DIFFERS;
		totals->skipped += state == REGRESS_SKIPPED;
	}
}

/* Return whether the area @nr has not been that of an earlier group. */
static bool is_first(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(regress_areas[i], regress_areas[nr]))
			return false;
	return true;
}

static void say_differences(const struct suite *suite, enum regress_state state)
{
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (suite_state(test) != state)
			continue;
		ktap_say("differs: %s: %s: %s/%s: %s", profiles_conformance(is_must(test) ? NULL : test->may_differ), test->id,
			 test->group->name, test->test->name, test->why ? test->why : "");
		if (state == REGRESS_DIFFERS)
			ktap_say("may differ: %s", test->may_differ);
	}
}

void conformance_say(const struct suite *suite)
{
	ktap_say("conformance: %-12s %31s  %31s", "", "must", "implementation-defined");
	ktap_say("conformance: %-12s %8s %9s %12s  %8s %9s %12s", "area", "met", "differs", "unsupported",
		 "met", "differs", "unsupported");
	for (unsigned int i = 0; regress_areas[i]; i++) {
		struct suite_totals must = { 0 }, own = { 0 };

		if (!is_first(i))
			continue;
		count(suite, regress_areas[i], true, &must);
		count(suite, regress_areas[i], false, &own);
		if (must.passed + must.failed + must.skipped + own.passed + own.differed + own.skipped)
			ktap_say("conformance: %-12s %8u %9u %12u  %8u %9u %12u", regress_areas[i], must.passed,
				 must.failed, must.skipped, own.passed, own.differed, own.skipped);
	}
	say_differences(suite, REGRESS_FAILED);
	say_differences(suite, REGRESS_DIFFERS);
}
