// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collect the names in a directory and sort them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/events/catalog/expand_internal.h"

int names_add(void *arg, const char *name)
{
	struct names *names = arg;
	char **list;

	if (names->nr == EVENT_LIST_MAX)
		return -E2BIG;
	list = array_grow(names->list, names->nr, sizeof(*list));
	if (!list)
		return -ENOMEM;
	names->list = list;
	names->list[names->nr] = strdup(name);
	if (!names->list[names->nr])
		return -ENOMEM;
	names->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	if (names->nr)
		qsort(names->list, names->nr, sizeof(*names->list), compare);
}

void names_free(struct names *names)
{
	for (unsigned int i = 0; i < names->nr; i++)
		free(names->list[i]);
	free(names->list);
	*names = (struct names){ 0 };
}
