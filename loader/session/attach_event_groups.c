// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries of the plan that are one group of events, and attaching them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/session/session.h"

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
	note(n->s->out, "event '%s': %s", n->entry->spec.text, text);
}

struct attach_request session_request(struct session *s, uint32_t i)
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
	return a->prog == b->prog && !b->target && a->spec.group && a->spec.group == b->spec.group;
}

/* Whose program is of another type than the first event's joins the group of one that has it. */
bool session_joins(const struct plan_entry *entry)
{
	return !entry->target && entry->spec.group && !entry->spec.leads;
}

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
		     "event '%s': it is opened by itself: the first event of its group is not open",
		     req->spec->text);
}

/* One by one: the events of a choice that are in no group. */
static int attach_each(struct session *s, const struct attach_request *reqs, uint32_t nr,
		       unsigned int *failed, struct error *err)
{
	const unsigned int before = s->attachments.nr;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < nr; i++) {
		*failed = i;
		ret = attach_group(s->sys, &reqs[i], 1, &s->attachments, err);
	}
	if (ret < 0)
		attach_undo(s->sys, &s->attachments, before);
	return ret;
}

int attach_event_groups(struct session *s, const uint32_t *entries, uint32_t nr,
			 unsigned int *failed, struct error *err)
{
	const struct plan_entry *first = &s->plan.list[entries[0]];
	struct attach_request *reqs = calloc(nr, sizeof(*reqs));
	int ret;

	*failed = 0;
	if (!reqs)
		return error_set(err, ENOMEM, "no memory for a group of events");
	for (uint32_t i = 0; i < nr; i++) {
		reqs[i] = session_request(s, entries[i]);
		attach_notes(&reqs[i], print_note,
			     &(struct noting){ s, &s->plan.list[entries[i]] });
	}
	if (session_joins(first))
		find_leader(s, &reqs[0]);
	if (first->spec.group) {
		ret = attach_group(s->sys, reqs, nr, &s->attachments, err);
		*failed = ret ? s->attachments.failed : 0;
	} else {
		ret = attach_each(s, reqs, nr, failed, err);
	}
	free(reqs);
	return ret;
}
