// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The summary in the format of the kernel's tools/testing/selftests/bpf, test_progs --json-summary.
 * A group of ours is a test there, and a test of ours a subtest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "test/regress/harness/profiles.h"
#include "test/regress/harness/record.h"

void report_make_utf8(char *text)
{
	uint32_t c;

	for (size_t left = strlen(text), len; left; text += len, left -= len) {
		len = text_decode((unsigned char *)text, left, &c);
		if (len)
			continue;
		*text = '?';
		len = 1;
	}
}

/* Returns the cause, and then the other output of the test. */
static struct json_object *message_of(const struct suite_test *test)
{
	struct json_object *message;
	char *text;

	if (asprintf(&text, "%s%s%s", test->why ? test->why : "", test->why ? "\n" : "",
		     test->message ? test->message : "") < 0)
		return json_object_new_string("");
	report_make_utf8(text);
	message = json_object_new_string(text);
	free(text);
	return message;
}

static struct json_object *entry(const char *name, unsigned int number, struct json_object *message,
				 bool failed)
{
	struct json_object *one = json_object_new_object();

	json_object_object_add(one, "name", json_object_new_string(name));
	json_object_object_add(one, "number", json_object_new_int64(number));
	json_object_object_add(one, "message", message);
	json_object_object_add(one, "failed", json_object_new_boolean(failed));
	return one;
}

static struct json_object *entry_of(const struct suite_test *test, unsigned int number, bool failed)
{
	struct json_object *one = entry(test->test->name, number, message_of(test), failed);

	json_object_object_add(one, "id", json_object_new_string(test->id));
	json_object_object_add(one, "conformance",
			       json_object_new_string(profiles_conformance(test->may_differ)));
	return one;
}

struct counts {
	unsigned int passed, skipped, failed, run;
};

static struct json_object *subtests_of(const struct suite *suite, unsigned int nr, bool all,
				       struct counts *counts)
{
	struct json_object *subtests = json_object_new_array();
	const struct regress_test *first = suite->lists[nr].tests;

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		const enum regress_state state = suite_state(test);

		if (test->group != regress_groups[nr] || state == REGRESS_UNSAID)
			continue;
		counts->run++;
		counts->passed += state == REGRESS_PASSED;
		counts->skipped += state == REGRESS_SKIPPED;
		counts->failed += state == REGRESS_FAILED;
		if (all || state == REGRESS_FAILED || state == REGRESS_DIFFERS)
			json_object_array_add(subtests, entry_of(test, test->test - first + 1,
								 state == REGRESS_FAILED));
	}
	return subtests;
}

struct json_object *summary_of(const struct suite *suite, bool all)
{
	struct json_object *summary = json_object_new_object(), *results = json_object_new_array();
	unsigned int passed = 0, failed = 0;
	struct counts total = { 0 };

	for (unsigned int nr = 0; nr < suite->nr_groups; nr++) {
		struct counts counts = { 0 };
		struct json_object *subtests = subtests_of(suite, nr, all, &counts), *one;

		passed += counts.run && !counts.failed;
		failed += counts.failed > 0;
		total.passed += counts.passed;
		total.skipped += counts.skipped;
		if (!json_object_array_length(subtests)) {
			json_object_put(subtests);
			continue;
		}
		one = entry(regress_groups[nr]->name, nr + 1, json_object_new_string(""),
			    counts.failed > 0);
		json_object_object_add(one, "subtests", subtests);
		json_object_array_add(results, one);
	}
	json_object_object_add(summary, "success", json_object_new_int64(passed));
	json_object_object_add(summary, "success_subtest", json_object_new_int64(total.passed));
	json_object_object_add(summary, "skipped", json_object_new_int64(total.skipped));
	json_object_object_add(summary, "failed", json_object_new_int64(failed));
	json_object_object_add(summary, "results", results);
	return summary;
}
