// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write the record of a run: which answers this kernel gave, for comparison with others. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "test/regress/harness/ktap.h"
#include "test/regress/harness/record.h"

bool report_open(struct report *report, const char *path, bool lines)
{
	*report = (struct report){ .path = path };
	if (!path || (lines && !strcmp(path, "-")))
		return true;
	report->file = fopen(path, "we");
	return report->file || usage_error("nothing has been run: where it is to be written has to be "
					   "known before", "%s: %s", path, strerror(errno));
}

bool report_close(struct report *report, struct json_object *json)
{
	bool good = true;

	if (report->file) {
		fputs(json_object_to_json_string_length(json, true, NULL),
		      report->file);
		putc('\n', report->file);
		good = !ferror(report->file);
		good = !fclose(report->file) && good;
	}
	report->file = NULL;
	json_object_put(json);
	if (!good)
		warnx("%s: cannot be written: %s", report->path, strerror(errno));
	return good;
}

/* --- one "KEY\tVALUE" after another --- */

/* Read the next line from *@at; false: there is none. */
static bool next_saw(const char **at, char *key, size_t key_size, char *value, size_t value_size)
{
	const size_t len = *at ? strcspn(*at, "\n") : 0;
	const char *tab = len ? memchr(*at, '\t', len) : NULL;

	if (!tab)
		return false;
	snprintf(key, key_size, "%.*s", (int)(tab - *at), *at);
	snprintf(value, value_size, "%.*s", (int)(*at + len - tab - 1), tab + 1);
	*at += len + ((*at)[len] == '\n');
	return true;
}

void record_lines(const struct suite *suite)
{
	char key[256], value[600];

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		const char *at = test->saw;

		while (next_saw(&at, key, sizeof(key), value, sizeof(value)))
			ktap_saw(test->group->name, test->test->name, key, value);
	}
}

static struct json_object *saw_of(const struct suite_test *test)
{
	struct json_object *saw = json_object_new_object();
	const char *at = test->saw;
	char key[256], value[600];

	while (next_saw(&at, key, sizeof(key), value, sizeof(value)))
		json_object_object_add(saw, key, json_object_new_string(value));
	return saw;
}

static struct json_object *test_of(const struct suite_test *test, const char *name,
				   enum regress_state state)
{
	struct json_object *one = json_object_new_object();

	json_object_object_add(one, "name", json_object_new_string(name));
	json_object_object_add(one, "state", json_object_new_string(suite_state_name(state)));
	if (test->why)
		json_object_object_add(one, "why", json_object_new_string(test->why));
	json_object_object_add(one, "saw", saw_of(test));
	return one;
}

static struct json_object *kernel_of(void)
{
	struct json_object *kernel = json_object_new_object();
	struct utsname name = { .release = "?", .machine = "?", .version = "?" };

	uname(&name);
	json_object_object_add(kernel, "release", json_object_new_string(name.release));
	json_object_object_add(kernel, "machine", json_object_new_string(name.machine));
	json_object_object_add(kernel, "version", json_object_new_string(name.version));
	return kernel;
}

struct json_object *record_of(const struct suite *suite)
{
	struct json_object *record = json_object_new_object(), *tests = json_object_new_object();
	char name[512];

	json_object_object_add(record, "version", json_object_new_string(SUITE_VERSION));
	json_object_object_add(record, "kernel", kernel_of());
	json_object_object_add(record, "tests", tests);
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		const enum regress_state state = suite_state(test);

		snprintf(name, sizeof(name), "%s/%s", test->group->name, test->test->name);
		if (state != REGRESS_UNSAID)
			json_object_object_add(tests, test->id[0] ? test->id : name,
					       test_of(test, name, state));
	}
	return record;
}
