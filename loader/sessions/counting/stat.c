// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A session without an object: count the -e events in their scope. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/groups/groups.h"
#include "loader/sessions/counting/counts.h"

/* The default events of perf stat. A clock on all CPUs also runs while they are idle. */
#define OF_TASKS "task-clock"
#define OF_CPUS "cpu-clock"
#define OTHERS \
	"context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses"

static bool is_by_task(const struct options *o)
{
	return o->scope.processes || o->scope.threads || o->scope.user ||
	       (o->child && !o->all_cpus && !o->scope.cgroups);
}

static int list_events(struct session *s, struct event_list *events, struct error *err)
{
	const struct options *o = s->options;
	const struct event_expand_hooks hooks = session_event_hooks(s);
	int ret = 0;

	for (unsigned int i = 0; !ret && i < o->events.nr; i++)
		ret = event_list_parse(events, o->events.text[i], err);
	if (!o->events.nr)
		ret = event_list_parse(events, is_by_task(o) ? OF_TASKS : OF_CPUS, err);
	if (!o->events.nr && !ret)
		ret = event_list_parse(events, OTHERS, err);
	return ret ? ret : event_list_expand(s->sys, events, &hooks, err);
}

/* The plan has one entry, without a program, per event. */
static int plan_counting(struct session *s, struct error *err)
{
	const struct event_expand_hooks hooks = session_event_hooks(s);
	struct event_list events = { 0 };
	int ret = list_events(s, &events, err);

	s->plan.out = s->out;
	if (!ret) {
		s->plan.list = calloc(events.nr, sizeof(*s->plan.list));
		if (!s->plan.list)
			ret = error_set(err, ENOMEM, "no memory for %u events", events.nr);
	}
	for (unsigned int i = 0; !ret && i < events.nr; i++) {
		s->plan.list[i] = (struct plan_entry){ .spec = events.specs[i], .map = -1 };
		s->plan.list[i].spec.counts = true;
		events.specs[i] = (struct event_spec){ 0 };	/* now owned by the plan */
		s->plan.nr = s->plan.nr_events = i + 1;
	}
	event_list_free(&events);
	if (!ret)
		ret = session_begin_scope(s, err);
	return ret ? ret : resolve_uprobes(s->sys, s->options, &s->load.object, getenv("PATH"),
					   &s->plan, &hooks, err);
}

/*
 * Events that cannot be counted here get a row in the table, as in perf stat. If there are no
 * others, the first refusal is the error.
 */
static int refuse(struct session *s, uint32_t first, uint32_t end, const struct error *why,
		  struct error *err)
{
	int ret = 0;

	if (event_failed_for_all(why))
		return error_copy(err, why);
	for (uint32_t i = first; !ret && i < end; i++)
		if (!s->plan.list[i].dropped)
			ret = counts_refuse(s, &s->plan.list[i], why, err);
	return ret;
}

static int check_some(struct session *s, struct error *err)
{
	struct counts *c = s->counts;

	if (s->attachments.nr || !c || !c->nr_rows)
		return 0;
	return error_copy(err, &c->rows[0].why);
}

static int open_events(struct session *s, struct error *err)
{
	int ret = session_block_signals(s, err);

	s->rings = rings_new(s->sys);
	if (!ret && !s->rings)
		ret = error_set(err, ENOMEM, "no memory for rings");
	for (uint32_t i = 0, end; !ret && i < s->plan.nr; i = end) {
		struct error why = { 0 };

		if (attach_alternatives(s, i, &end, plan_joins_group(&s->plan.list[i]), &why) < 0)
			ret = refuse(s, i, end, &why, err);
		error_clear(&why);
		session_read_counts(s);	/* determines the order of the rows */
	}
	if (!ret)
		ret = check_some(s, err);
	return ret ? ret : attach_enable(s->sys, &s->attachments, err);
}

int session_stat(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct session s;
	int ret;

	session_init(&s, sys, o, out);
	ret = plan_counting(&s, err);
	if (!ret)
		ret = open_events(&s, err);
	if (!ret)
		ret = session_start(&s, err);	/* start the command */
	if (!ret)
		ret = session_wait(&s, err);
	return session_finish(&s, ret, err);
}
