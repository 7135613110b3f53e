// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The stable id of each test. An embedded file has a line "ID\tGROUP/TEST" for each, so that deny
 * lists and histories that name a test by its id survive another wording of its fact:
 *
 *	binding.17	binding/a second program by ioctl is EEXIST
 */
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/parts.h"

struct id_lines {
	const char *begin, *at, *end;	/* at: the line after the one that was found last */
};

static void open_lines(struct id_lines *lines)
{
	const struct regress_embedded *file = embedded_find(regress_ids);

	lines->begin = lines->at = (const char *)file->data;
	lines->end = (const char *)file->end;
}

/* Find the line of @name between @from and @to, and set @lines->at to the one after it. */
static bool find_line(struct id_lines *lines, const char *from, const char *to, const char *name,
		      char id[TEST_ID_SIZE])
{
	const size_t len = strlen(name);

	while (from < to) {
		const char *end = memchr(from, '\n', to - from), *tab;

		if (!end)
			end = to;
		tab = memchr(from, '\t', end - from);
		if (tab && (size_t)(end - tab - 1) == len && !memcmp(tab + 1, name, len) &&
		    tab - from < TEST_ID_SIZE) {
			snprintf(id, TEST_ID_SIZE, "%.*s", (int)(tab - from), from);
			lines->at = end < to ? end + 1 : to;
			return true;
		}
		from = end + 1;
	}
	return false;
}

void test_id(const char *group, const char *test, char id[TEST_ID_SIZE])
{
	static struct id_lines lines;
	const char *at;
	char name[512];

	if (!lines.begin)
		open_lines(&lines);
	at = lines.at;
	id[0] = '\0';
	snprintf(name, sizeof(name), "%s/%s", group, test);
	/* The file has the order of the list, so that the next line is mostly the right one. */
	if (!find_line(&lines, at, lines.end, name, id))
		find_line(&lines, lines.begin, at, name, id);
}
