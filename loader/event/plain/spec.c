// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The strings of a parsed event: which its kind has, copied and freed together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/event/event.h"

#define STRINGS_MAX 4

/* List the strings that a spec of this kind owns; some may be NULL. Return: their number. */
static unsigned int owned_strings(struct event_spec *spec, char **strings[STRINGS_MAX])
{
	unsigned int n = 0;

	strings[n++] = &spec->text;
	switch (spec->kind) {
	case EVENT_HARDWARE:
	case EVENT_CACHE:
	case EVENT_RAW:
		strings[n++] = &spec->fixed.pmu;
		break;
	case EVENT_TRACEPOINT:
		strings[n++] = &spec->tracepoint.category;
		strings[n++] = &spec->tracepoint.name;
		break;
	case EVENT_PMU:
		strings[n++] = &spec->pmu.name;
		strings[n++] = &spec->pmu.terms;
		break;
	case EVENT_ALIAS:
		strings[n++] = &spec->alias;
		break;
	case EVENT_KPROBE:
		strings[n++] = &spec->kprobe.module;
		strings[n++] = &spec->kprobe.symbol;
		break;
	case EVENT_UPROBE:
	case EVENT_USDT:
		strings[n++] = &spec->uprobe.path;
		strings[n++] = &spec->uprobe.provider;
		strings[n++] = &spec->uprobe.symbol;
		break;
	case EVENT_SOFTWARE:
	case EVENT_BREAKPOINT:
		break;
	}
	return n;
}

int event_spec_copy(struct event_spec *to, const struct event_spec *from, struct error *err)
{
	char **strings[STRINGS_MAX];
	bool complete = true;

	*to = *from;
	for (unsigned int n = owned_strings(to, strings); n; n--) {
		char **string = strings[n - 1];

		if (!*string)
			continue;
		*string = strdup(*string);
		complete = complete && *string;
	}
	if (complete)
		return 0;
	event_spec_free(to);
	return error_set(err, ENOMEM, "no memory for the event '%.200s'", from->text);
}

void event_spec_free(struct event_spec *spec)
{
	char **strings[STRINGS_MAX];

	for (unsigned int n = owned_strings(spec, strings); n; n--)
		free(*strings[n - 1]);
	*spec = (struct event_spec){ 0 };
}

int event_spec_resolve(struct event_spec *spec, const char *path, uint64_t file_offset,
		       uint64_t ref_ctr_offset, struct error *err)
{
	char *copy = strdup(path);

	if (!copy)
		return error_set(err, ENOMEM, "no memory for the path '%.200s'", path);
	free(spec->uprobe.path);
	spec->uprobe.path = copy;
	spec->uprobe.file_offset = file_offset;
	spec->uprobe.ref_ctr_offset = ref_ctr_offset;
	spec->resolved = true;
	return 0;
}
