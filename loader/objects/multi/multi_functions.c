// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of functions for one link. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"

enum multi_kind multi_kind(uint32_t attach_type)
{
	switch (attach_type) {
	case BPF_TRACE_UPROBE_MULTI:
	case BPF_TRACE_UPROBE_SESSION:
		return MULTI_USER;
	case BPF_TRACE_FENTRY_MULTI:
	case BPF_TRACE_FEXIT_MULTI:
	case BPF_TRACE_FSESSION_MULTI:
		return MULTI_TYPE;
	default:
		return MULTI_KERNEL;
	}
}

void multi_functions_free(struct multi_functions *f)
{
	for (uint32_t i = 0; i < f->nr; i++)
		free(f->list[i].name);
	free(f->list);
	f->list = NULL;
	f->nr = 0;
}

int multi_functions_add(struct multi_functions *f, const char *name, uint64_t at,
			struct error *err)
{
	struct multi_function *list;

	if (f->nr == MULTI_FUNCTIONS_MAX) {
		error_set(err, E2BIG, "more than %u functions match, the limit of a link",
			  MULTI_FUNCTIONS_MAX);
		error_reason(err, "multi/too-many");
		return error_hint(err, "use a pattern that matches fewer");
	}
	list = array_grow(f->list, f->nr, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for %u functions", f->nr + 1);
	f->list = list;
	list[f->nr] = (struct multi_function){ strdup(name), at };
	if (!list[f->nr].name)
		return error_set(err, ENOMEM, "no memory for %u functions", f->nr + 1);
	f->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct multi_function *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return strcmp(x->name, y->name);
}

void multi_functions_sort(struct multi_functions *f)
{
	uint32_t kept = 0;

	if (!f->nr)
		return;
	qsort(f->list, f->nr, sizeof(*f->list), compare);
	/* Several names with one address are one function. */
	for (uint32_t i = 1; i < f->nr; i++) {
		const struct multi_function *last = &f->list[kept];

		if (f->list[i].at == last->at && (last->at || !strcmp(f->list[i].name, last->name)))
			free(f->list[i].name);
		else
			f->list[++kept] = f->list[i];
	}
	f->nr = kept + 1;
}

void multi_functions_remove(struct multi_functions *f, uint32_t index)
{
	free(f->list[index].name);
	memmove(&f->list[index], &f->list[index + 1], (--f->nr - index) * sizeof(*f->list));
}
