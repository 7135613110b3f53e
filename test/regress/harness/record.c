// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What was seen on this kernel, for others to be held against. */
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/ktap.h"
#include "test/regress/harness/record.h"

static void say_lines(const struct suite_test *test)
{
	for (const char *line = test->saw; line && *line; line += strcspn(line, "\n") + 1) {
		const char *tab = strchr(line, '\t');
		char key[256], value[600];

		snprintf(key, sizeof(key), "%.*s", (int)(tab - line), line);
		snprintf(value, sizeof(value), "%.*s", (int)strcspn(tab + 1, "\n"), tab + 1);
		ktap_saw(test->group->name, test->test->name, key, value);
	}
}

void record_write(const struct suite *suite, const char *path)
{
	for (unsigned int i = 0; path && i < suite->nr; i++)
		say_lines(&suite->tests[i]);
}
