// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sorted sets of names, with which the harness compares the things before a test and after it. */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/regress/harness/leaks.h"

void texts_add(struct texts *names, const char *fmt, ...)
{
	va_list ap;
	int len;

	names->list = reallocarray(names->list, names->nr + 1, sizeof(*names->list));
	if (!names->list)
		err(1, "no memory for names");
	va_start(ap, fmt);
	len = vasprintf(&names->list[names->nr], fmt, ap);
	va_end(ap);
	if (len < 0)
		err(1, "no memory for names");
	names->nr++;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void texts_sort(struct texts *names)
{
	if (names->nr)
		qsort(names->list, names->nr, sizeof(*names->list), compare);
}

bool texts_have(const struct texts *sorted, const char *name)
{
	return sorted->nr && bsearch(&name, sorted->list, sorted->nr, sizeof(*sorted->list),
				     compare);
}

void texts_free(struct texts *names)
{
	for (unsigned int i = 0; i < names->nr; i++)
		free(names->list[i]);
	free(names->list);
	*names = (struct texts){ 0 };
}
