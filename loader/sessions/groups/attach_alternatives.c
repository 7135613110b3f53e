// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Alternatives: choose the event of "a,or=b" to attach a program to. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/sessions/groups/groups.h"

static void print_note(void *arg, const char *text)
{
	struct session *s = arg;

	note(s->out, "%s", text);
}

/* Print "instead of event 'cycles': 'cpu-clock', since ... [perf-open/no-pmu]". */
void session_print_instead(FILE *file, struct json_object *msg)
{
	message_print_with(file, msg, "instead of event '", "wanted", "': '");
	message_print_member(file, msg, "taken");
	message_print_with(file, msg, "', since ", "why", "");
	message_print_with(file, msg, " [", "reason", "]");
	putc('\n', file);
}

/* A fallback must not be silent: report it in a message of its own, in every output format. */
static int report_fallback(void *arg, const char *wanted, const char *taken,
			   const struct error *why, struct error *err)
{
	struct session *s = arg;
	struct json_object *msg = message_new("instead");

	value_add_string(msg, "wanted", wanted);
	value_add_string(msg, "taken", taken);
	value_add_string(msg, "why", why->what);
	value_add_string(msg, "reason", why->reason);
	return output_message_as(s->out, msg, session_print_instead, err);
}

struct event_expand_hooks session_event_hooks(struct session *s)
{
	return (struct event_expand_hooks){ print_note, report_fallback, s };
}

/* Plan entries from @first to @end: an event, a set of alternatives, or an event group. */
struct entries {
	struct plan_entry *list;	/* borrowed */
	uint32_t first, nr;
	uint32_t *tried;		/* owned; indexes into the plan */
};

static bool same_alternative(const struct plan_entry *a, const struct plan_entry *b)
{
	return plan_same_alternatives(a, b) && a->spec.alt_index == b->spec.alt_index;
}

/*
 * Return true if @entry is the first alternative in its set that is not dropped, or is not in a
 * set.
 */
static bool is_tried(const struct entries *e, const struct plan_entry *entry)
{
	if (entry->dropped)
		return false;
	for (uint32_t i = 0; i < e->nr; i++)
		if (!e->list[i].dropped && plan_same_alternatives(&e->list[i], entry))
			return e->list[i].spec.alt_index == entry->spec.alt_index;
	return true;
}

static uint32_t list_tried(const struct entries *e)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->nr; i++)
		if (is_tried(e, &e->list[i]))
			e->tried[n++] = e->first + i;
	return n;
}

static const struct plan_entry *next_alternative(const struct entries *e,
						 const struct plan_entry *entry)
{
	for (uint32_t i = 0; i < e->nr; i++)
		if (plan_same_alternatives(&e->list[i], entry) &&
		    e->list[i].spec.alt_index > entry->spec.alt_index)
			return &e->list[i];
	return NULL;
}

/*
 * @failed was refused with @err: drop its alternative and report the next one. Return true if that
 * should be tried; otherwise @err has the failure.
 */
static bool fall_back(struct session *s, const struct entries *e, const struct plan_entry *failed,
		      struct error *err)
{
	const struct plan_entry *next = next_alternative(e, failed);
	struct error why = *err;
	int ret;

	if (!next || event_failed_for_all(err))
		return false;
	*err = (struct error){ 0 };
	for (uint32_t i = 0; i < e->nr; i++)
		if (same_alternative(&e->list[i], failed))
			e->list[i].dropped = true;
	ret = report_fallback(s, failed->spec.text, next->spec.text, &why, err);
	error_clear(&why);
	return !ret;
}

uint32_t plan_alternatives_end(const struct plan *plan, uint32_t first)
{
	const struct plan_entry *list = plan->list;
	uint32_t end = first + 1;

	while (end < plan->nr && !list[first].target &&
	       (plan_same_alternatives(&list[first], &list[end]) ||
		plan_same_group(&list[first], &list[end])))
		end++;
	return end;
}

int attach_alternatives(struct session *s, uint32_t first, uint32_t *end, bool late,
			struct error *err)
{
	struct entries e = { .list = &s->plan.list[first], .first = first };
	struct attach_request *reqs;
	uint32_t nr;
	int ret;

	*end = plan_alternatives_end(&s->plan, first);
	if (plan_joins_group(e.list) != late)
		return 0;
	e.nr = *end - first;
	e.tried = calloc(e.nr, sizeof(*e.tried));
	if (!e.tried)
		return error_set(err, ENOMEM, "no memory for a group of events");
	do {
		nr = list_tried(&e);
		ret = session_requests(s, e.tried, nr, &reqs, err);
		if (ret)
			break;
		ret = attach_events(s->sys, reqs, nr, &s->attachments, err);
		free(reqs);
	} while (ret && fall_back(s, &e, &s->plan.list[e.tried[s->attachments.failed]], err));
	for (uint32_t i = 0; !ret && i < e.nr; i++)
		e.list[i].dropped = !is_tried(&e, &e.list[i]);
	free(e.tried);
	return ret ? err->code : 0;
}

const struct plan_feature plan_groups = {
	.event_hooks = session_event_hooks, .attach_events = attach_alternatives,
};
