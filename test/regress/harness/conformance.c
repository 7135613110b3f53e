// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The results by part of the ABI, for who implements it: a test is one statement about it. */
#include <string.h>

#include "test/regress/harness/conformance.h"
#include "test/regress/harness/ktap.h"
#include "test/regress/harness/profiles.h"

static void count(const struct suite *suite, const char *area, struct suite_totals *totals)
{
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (strcmp(profiles_area(test->group->name), area))
			continue;
		totals->passed += suite_state(test) == REGRESS_PASSED;
		totals->failed += suite_state(test) == REGRESS_FAILED;
		totals->skipped += suite_state(test) == REGRESS_SKIPPED;
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

void conformance_say(const struct suite *suite)
{
	ktap_say("conformance: %-12s %8s %8s %12s", "area", "met", "differs", "unsupported");
	for (unsigned int i = 0; regress_areas[i]; i++) {
		struct suite_totals totals = { 0 };

		if (!is_first(i))
			continue;
		count(suite, regress_areas[i], &totals);
		if (totals.passed + totals.failed + totals.skipped)
			ktap_say("conformance: %-12s %8u %8u %12u", regress_areas[i], totals.passed,
				 totals.failed, totals.skipped);
	}
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (suite_state(test) == REGRESS_FAILED)
			ktap_say("differs: %s: %s/%s: %s", test->id, test->group->name,
				 test->test->name, test->why ? test->why : "");
	}
}
