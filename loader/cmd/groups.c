// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries of the plan that are one group of events, and attaching them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cmd/note.h"
#include "loader/cmd/session.h"

/* What is true of one event is true of the next hundred that a glob stands for: it is said once. */
struct noting {
	struct session *s;
	const struct plan_entry *entry;
};

static void print_note(void *arg, const char *text)
{
	const struct noting *n = arg;
	char *noted = n->s->noted;
	const size_t len = strlen(noted);

	if (strstr(noted, text))
		return;
	snprintf(noted + len, sizeof(n->s->noted) - len, "%s\n", text);
	note("event '%s': %s", n->entry->spec.text, text);
}

static struct attach_request request_of(struct session *s, uint32_t i)
{
	const struct options *o = s->options;
	const struct plan_entry *entry = &s->plan.list[i];

	return (struct attach_request){
		.method = o->method,
		.spec = &entry->spec,
		.scope = &s->scope,
		.period = o->period,
		.freq = o->freq,
		.has_cookie = entry->told ? o->method->takes_cookie : o->has_cookie,
		.cookie = entry->told ? entry->arguments : o->cookie,
		.prog_fd = s->load.kernel.progs[entry->prog].fd,
		.prog_type = s->load.object.progs[entry->prog].kind->prog_type,
		.prog = i,
		.on_exec = s->scope.whom == SCOPE_COMMAND && !o->no_enable,
	};
}

bool session_same_group(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !b->point && a->spec.group && a->spec.group == b->spec.group;
}

uint32_t session_group_end(const struct session *s, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < s->plan.nr && session_same_group(&s->plan.list[first], &s->plan.list[end]))
		end++;
	return end;
}

/* Whose program is of another type than the first event's joins the group of one that has it. */
bool session_joins(const struct plan_entry *entry)
{
	return !entry->point && entry->spec.group && !entry->spec.leads;
}

static void find_leader(const struct session *s, struct attach_request *req)
{
	for (uint32_t i = 0; !req->joins && i < s->plan.nr; i++) {
		const struct plan_entry *entry = &s->plan.list[i];

		if (entry->point || entry->dropped || !entry->spec.leads ||
		    entry->spec.group != req->spec->group)
			continue;
		req->joins = true;
		req->leader = i;
	}
	if (!req->joins)
		note("event '%s': it is opened by itself: the first event of its group is not open",
		     req->spec->text);
}

int session_attach_group(struct session *s, uint32_t first, uint32_t end, struct error *err)
{
	struct attach_request *reqs = calloc(end - first, sizeof(*reqs));
	int ret;

	if (!reqs)
		return error_set(err, ENOMEM, "no memory for a group of events");
	for (uint32_t i = first; i < end; i++) {
		reqs[i - first] = request_of(s, i);
		attach_notes(&reqs[i - first], print_note,
			     &(struct noting){ s, &s->plan.list[i] });
	}
	if (session_joins(&s->plan.list[first]))
		find_leader(s, &reqs[0]);
	ret = attach_group(s->sys, reqs, end - first, &s->attachments, err);
	free(reqs);
	return ret;
}
