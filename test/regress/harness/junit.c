// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The results as JUnit XML, in the form that CI systems read (Jenkins' junit.xsd): a test suite per
 * group, and a test case per test, named by its id.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/regress/harness/record.h"

/* XML 1.0 permits no control characters except tabs and line breaks, not even as references. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		const unsigned char c = *text;

		if (c == '&')
			fputs("&amp;", file);
		else if (c == '<')
			fputs("&lt;", file);
		else if (c == '>')
			fputs("&gt;", file);
		else if (c == '"')
			fputs("&quot;", file);
		else
			putc(c < ' ' && c != '\t' && c != '\n' ? '?' : c, file);
	}
}

static void put_attribute(FILE *file, const char *name, const char *text)
{
	char *copy = strdup(text ? text : "");

	if (!copy)
		err(1, "no memory for a report");
	report_make_utf8(copy);
	fprintf(file, " %s=\"", name);
	put_text(file, copy);
	putc('"', file);
	free(copy);
}

static void put_case(FILE *file, const struct suite_test *test)
{
	const enum regress_state state = suite_state(test);

	fputs("  <testcase", file);
	put_attribute(file, "classname", test->group->name);
	put_attribute(file, "name", test->id[0] ? test->id : test->test->name);
	fputs(">\n", file);
	if (state != REGRESS_PASSED) {
		fprintf(file, "    <%s", state == REGRESS_FAILED ? "failure" : "skipped");
		put_attribute(file, "message", test->why);
		fputs("/>\n", file);
	}
	fputs("    <system-out>", file);
	put_text(file, test->test->name);
	fputs("</system-out>\n  </testcase>\n", file);
}

static void put_suite(FILE *file, const struct suite *suite, const struct regress_group *group)
{
	unsigned int nr = 0, failed = 0, skipped = 0;

	for (unsigned int i = 0; i < suite->nr; i++) {
		const enum regress_state state = suite_state(&suite->tests[i]);

		if (suite->tests[i].group != group || state == REGRESS_UNSAID)
			continue;
		nr++;
		failed += state == REGRESS_FAILED;
		skipped += state == REGRESS_SKIPPED || state == REGRESS_DIFFERS;
	}
	if (!nr)
		return;
	fputs(" <testsuite", file);
	put_attribute(file, "name", group->name);
	fprintf(file, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\">\n", nr, failed,
		skipped);
	for (unsigned int i = 0; i < suite->nr; i++)
		if (suite->tests[i].group == group && suite_state(&suite->tests[i]) != REGRESS_UNSAID)
			put_case(file, &suite->tests[i]);
	fputs(" </testsuite>\n", file);
}

bool junit_close(struct report *report, const struct suite *suite)
{
	FILE *file = report->file;
	bool good;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"attach-regress\">\n", file);
	for (unsigned int i = 0; i < suite->nr_groups; i++)
		put_suite(file, suite, regress_groups[i]);
	fputs("</testsuites>\n", file);
	good = !ferror(file);
	good = !fclose(file) && good;
	report->file = NULL;
	if (!good)
		warnx("%s: cannot be written: %s", report->path, strerror(errno));
	return good;
}
