// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lists of events, and the plain form of an event: a name in the table, CATEGORY:NAME or
 * PMU/TERMS/. perf's grammar is a feature.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/core/event/event.h"
#include "loader/core/event/steps.h"

int event_list_room(struct event_list *list, struct error *err)
{
	struct event_spec *specs;

	if (list->nr == EVENT_LIST_MAX) {
		error_set(err, E2BIG, "more than %d events", EVENT_LIST_MAX);
		error_reason(err, "event/too-many");
		return error_hint(err, "use a narrower glob, or run pload several times");
	}
	specs = array_grow(list->specs, list->nr, sizeof(*specs));
	if (!specs)
		return error_set(err, ENOMEM, "no memory for %u events", list->nr + 1);
	list->specs = specs;
	return 0;
}

int event_list_add(struct event_list *list, const struct event_spec *spec, struct error *err)
{
	int ret = event_list_room(list, err);

	if (!ret)
		ret = event_spec_copy(&list->specs[list->nr], spec, err);
	if (!ret)
		list->nr++;
	return ret;
}

void event_list_cut(struct event_list *list, unsigned int nr)
{
	while (list->nr > nr)
		event_spec_free(&list->specs[--list->nr]);
}

void event_list_free(struct event_list *list)
{
	event_list_cut(list, 0);
	free(list->specs);
	*list = (struct event_list){ 0 };
}

/* Split "a:b" or "a/b/" at @at, which is the first ':' or '/' of @text. */
static bool split(const char *text, size_t at, char **first, char **second)
{
	const size_t len = strlen(text);
	const size_t end = text[at] == '/' && text[len - 1] == '/' ? len - 1 : len;

	*first = strndup(text, at);
	*second = end > at ? strndup(text + at + 1, end - at - 1) : strdup("");
	return *first && *second;
}

static int no_such_event(const char *text, struct error *err)
{
	error_set(err, EINVAL, "'%.64s' is no event", text);
	error_reason(err, "event/grammar");
	return error_hint(err, "write a name such as cycles or cpu-clock, a tracepoint as "
			       "CATEGORY:NAME, or PMU/TERMS/");
}

int event_plain(struct event_spec *spec, const char *text, struct error *err)
{
	const struct perf_name *name = perf_name_find(text, strlen(text));
	const size_t at = strcspn(text, ":/");
	bool complete = true;

	*spec = (struct event_spec){ .kind = EVENT_SOFTWARE };
	if (name) {
		spec->kind = name->kind;
		spec->fixed.config = name->config;
		spec->fixed.name = name->sysfs[0];
	} else if (text[at] == '/' && text[strlen(text) - 1] == '/') {
		spec->kind = EVENT_PMU;
		complete = split(text, at, &spec->pmu.name, &spec->pmu.terms);
	} else if (text[at] && at) {
		spec->kind = EVENT_TRACEPOINT;
		complete = split(text, at, &spec->tracepoint.category, &spec->tracepoint.name);
	} else {
		return no_such_event(text, err);
	}
	spec->text = strdup(text);
	if (complete && spec->text)
		return 0;
	event_spec_free(spec);
	return error_set(err, ENOMEM, "no memory for the event '%.64s'", text);
}

int event_list_plain(struct event_list *list, const char *text, struct error *err)
{
	int ret = event_list_room(list, err);

	if (!ret)
		ret = event_plain(&list->specs[list->nr], text, err);
	if (!ret)
		list->nr++;
	return ret;
}

/* --- the strings of an event, copied and freed together --- */

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
