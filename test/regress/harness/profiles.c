// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Properties of tests by name, from the tables of the program that contains the harness. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/profiles.h"

static bool matches(const char *glob, const char *group, const char *test)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", group, test);
	return !fnmatch(glob, name, FNM_EXTMATCH);
}

bool profiles_has(const char *const *globs, const char *group, const char *test)
{
	for (; *globs; globs++)
		if (matches(*globs, group, test))
			return true;
	return false;
}

const char *profiles_area(const char *group)
{
	for (unsigned int i = 0; regress_groups[i]; i++)
		if (!strcmp(regress_groups[i]->name, group))
			return regress_areas[i];
	return "";
}

bool profiles_of_loader(const char *group, const char *test)
{
	return !strcmp(profiles_area(group), "loader") || profiles_has(regress_loader, group, test);
}

const char *profiles_may_differ(const char *group, const char *test)
{
	for (const struct regress_freedom *row = regress_may_differ; row->tests; row++)
		if (matches(row->tests, group, test))
			return row->why;
	return NULL;
}

const char *profiles_conformance(const char *why)
{
	return why ? "implementation-defined" : "must";
}

bool profiles_needs(const struct regress_need *need, const char *group, const char *test)
{
	return matches(need->tests, group, test);
}

void profiles_print_config(const struct suite *suite)
{
	unsigned int last = 0;

	puts("# For scripts/kconfig/merge_config.sh of a kernel: attach-regress skips a test whose "
	     "options are off.");
	for (const struct regress_need *need = regress_needs; need->config; need++) {
		unsigned int nr = 0;

		for (unsigned int i = 0; i < suite->nr; i++)
			nr += profiles_needs(need, suite->tests[i].group->name, suite->tests[i].test->name);
		if (nr && nr != last)
			printf("# %u of %u tests\n", nr, suite->nr);
		if (nr)
			printf("%s=y\n", need->config);
		last = nr;
	}
}
