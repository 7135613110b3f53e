// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* perf's names of hardware, software and cache events. */
#include <string.h>

#include "loader/core/event/steps.h"
#include "loader/events/grammar/events.h"

int perf_name_of_core(const char *text, size_t len, uint32_t *type, uint64_t *config)
{
	const struct perf_name *row = perf_name_find(text, len);

	*type = PERF_TYPE_HW_CACHE;
	if (!row || row->kind != EVENT_HARDWARE)
		return cache_name_config(text, len, config);
	*type = PERF_TYPE_HARDWARE;
	*config = row->config;
	return 0;
}

void perf_name_each(void (*call)(void *arg, const char *name, const char *alias), void *arg)
{
	const struct perf_name *row;
	char name[CACHE_NAME_MAX];

	for (unsigned int i = 0; (row = perf_name_at(i)); i++)
		call(arg, row->name, row->alias);
	for (unsigned int i = 0; cache_name_at(i, name); i++)
		call(arg, name, NULL);
}

static void offer(void *near, const char *name, const char *alias)
{
	nearest_offer(near, name);
	if (alias)
		nearest_offer(near, alias);
}

void nearest_offer_events(struct nearest *near)
{
	perf_name_each(offer, near);
}
