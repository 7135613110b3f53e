// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create attach requests for plan entries and their event groups "{a,b}". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/sessions/groups/groups.h"

/* A note applies to all events of a glob: print it once. */
struct note_arg {
	struct session *s;
	const struct plan_entry *entry;
};

static void print_note(void *arg, const char *text)
{
	const struct note_arg *n = arg;
	struct session *s = n->s;
	char *noted;

	if (s->noted && strstr(s->noted, text))
		return;
	if (asprintf(&noted, "%s%s\n", s->noted ? s->noted : "", text) >= 0) {
		free(s->noted);
		s->noted = noted;
	}
	note(s->out, "event '%s': %s", n->entry->spec.text, text);
}

bool plan_same_group(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !b->target && a->spec.group && a->spec.group == b->spec.group;
}

bool plan_joins_group(const struct plan_entry *entry)
{
	return !entry->target && entry->spec.group && !entry->spec.leads;
}

/* The first event of the group runs another type of program and is already attached. */
static void find_leader(const struct session *s, struct attach_request *req)
{
	for (uint32_t i = 0; !req->joins && i < s->plan.nr; i++) {
		const struct plan_entry *entry = &s->plan.list[i];

		if (entry->target || entry->dropped || !entry->spec.leads ||
		    entry->spec.group != req->spec->group)
			continue;
		req->joins = true;
		req->leader = i;
	}
	if (!req->joins)
		note(s->out,
		     "event '%s': opened by itself, because the first event of its group is not "
		     "open",
		     req->spec->text);
}

int session_requests(struct session *s, const uint32_t *entries, uint32_t nr,
		     struct attach_request **reqs, struct error *err)
{
	const struct plan_entry *first = &s->plan.list[entries[0]];
	struct attach_request *list = calloc(nr, sizeof(*list));

	*reqs = list;
	if (!list)
		return error_set(err, ENOMEM, "no memory for an event group");
	for (uint32_t i = 0; i < nr; i++) {
		const struct plan_entry *entry = &s->plan.list[entries[i]];

		list[i] = session_request(s, entries[i]);
		list[i].member = i && first->spec.group;
		attach_notes(&list[i], print_note, &(struct note_arg){ s, entry });
	}
	if (plan_joins_group(first))
		find_leader(s, &list[0]);
	return 0;
}
