// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Name an address: of the kernel, or of a process. */
#include <stdlib.h>
#include <string.h>

#include "loader/features/addresses/addresses_internal.h"

static void name(struct frame_namer *namer, const struct frame_query *query, struct frame *frame)
{
	struct addresses *a = (struct addresses *)namer;

	*frame = (struct frame){ .address = query->address };
	if (query->kernel)
		kernel_names_find(a, query, frame);
}

struct addresses *addresses_new(struct sys *sys)
{
	struct addresses *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->namer.name = name;
	a->sys = sys;
	return a;
}

void addresses_free(struct addresses *a)
{
	if (!a)
		return;
	free(a->kernel.list);
	strings_free(&a->strings);
	free(a);
}

int addresses_watch(struct addresses *a, const struct event_scope *scope, struct error *err)
{
	(void)a;
	(void)scope;
	(void)err;
	return 0;
}

int addresses_fd(const struct addresses *a)
{
	(void)a;
	return -1;
}

void addresses_read(struct addresses *a)
{
	(void)a;
}

uint64_t addresses_lost(const struct addresses *a)
{
	(void)a;
	return 0;
}

struct frame_namer *addresses_namer(struct addresses *a)
{
	return &a->namer;
}
