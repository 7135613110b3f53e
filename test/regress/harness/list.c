// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of tests: those in a group's table, and those that the group generates. */
#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "test/regress/harness/parts.h"

void regress_share(struct regress_list *list, size_t size)
{
	list->share = size;
}

void regress_patience(struct regress_list *list, unsigned int seconds)
{
	list->seconds = seconds;
}

static void append(struct regress_list *list, const struct regress_test *test, char *name)
{
	if (list->nr == list->room) {
		list->room = list->room ? 2 * list->room : 64;
		list->tests = reallocarray(list->tests, list->room, sizeof(*list->tests));
		list->ids = reallocarray(list->ids, list->room, sizeof(*list->ids));
	}
	if (!list->tests || !list->ids || !name)
		err(1, "no memory for the list of tests");
	list->tests[list->nr] = *test;
	list->tests[list->nr++].name = name;
}

void regress_add(struct regress_list *list, regress_run *run, const void *data, const char *fmt,
		 ...)
{
	const struct regress_test test = { .run = run, .data = data, .seconds = list->seconds };
	char *name;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&name, fmt, ap) < 0)
		name = NULL;
	va_end(ap);
	append(list, &test, name);
}

void list_of(struct regress_list *list, const struct regress_group *group)
{
	*list = (struct regress_list){ 0 };
	for (const struct regress_test *test = group->tests; test && test->name; test++)
		append(list, test, strdup(test->name));
	if (group->fill)
		group->fill(list);
	for (unsigned int i = 0; i < list->nr; i++)
		test_id(group->name, list->tests[i].name, list->ids[i]);
}

void list_free(struct regress_list *list)
{
	for (unsigned int i = 0; i < list->nr; i++)
		free((char *)list->tests[i].name);
	free(list->tests);
	free(list->ids);
	*list = (struct regress_list){ 0 };
}
