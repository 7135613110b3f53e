// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions that one link is for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/features/multi/multi_internal.h"

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

void multi_targets_free(struct multi_targets *p)
{
	for (uint32_t i = 0; i < p->nr; i++)
		free(p->list[i].name);
	free(p->list);
	p->list = NULL;
	p->nr = 0;
}

int multi_targets_add(struct multi_targets *p, const char *name, uint64_t at,
		      uint64_t ref_ctr_offset, struct error *err)
{
	/* Room for twice as many whenever their number is a power of two. */
	const bool full = !(p->nr & (p->nr - 1));
	struct multi_target *list = p->list;

	if (p->nr == MULTI_TARGETS_MAX) {
		error_set(err, E2BIG, "more than %u functions match, and a link takes no more",
			  MULTI_TARGETS_MAX);
		error_reason(err, "multi/too-many");
		return error_hint(err, "a pattern that matches fewer");
	}
	if (full)
		list = realloc(list, (p->nr ? 2 * (size_t)p->nr : 1) * sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for %u functions", p->nr + 1);
	p->list = list;
	list[p->nr] = (struct multi_target){ strdup(name), at, ref_ctr_offset };
	if (!list[p->nr].name)
		return error_set(err, ENOMEM, "no memory for %u functions", p->nr + 1);
	p->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct multi_target *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return strcmp(x->name, y->name);
}

void multi_targets_sort(struct multi_targets *p)
{
	uint32_t kept = 0;

	if (!p->nr)
		return;
	qsort(p->list, p->nr, sizeof(*p->list), compare);
	/* Several names of one place are one function. */
	for (uint32_t i = 1; i < p->nr; i++) {
		const struct multi_target *last = &p->list[kept];

		if (p->list[i].at == last->at &&
		    (last->at || !strcmp(p->list[i].name, last->name)))
			free(p->list[i].name);
		else
			p->list[++kept] = p->list[i];
	}
	p->nr = kept + 1;
}

void multi_targets_remove(struct multi_targets *p, uint32_t index)
{
	free(p->list[index].name);
	memmove(&p->list[index], &p->list[index + 1], (--p->nr - index) * sizeof(*p->list));
}
