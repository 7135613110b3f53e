// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Plan which program to attach to which event or link target, based on the object and the command
 * line, before anything is loaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/core/session/plan.h"

static int check_wanted(struct loading *l, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	bool any = false;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++) {
		if (!l->wanted[i])
			continue;
		any = true;
		ret = loading_check_target(l, i, err);
	}
	if (ret || any)
		return ret;
	if (!obj->nr_progs) {
		error_set(err, ENOENT, "no program");
		error_reason(err, "object/no-program");
		return error_hint(err, "mark a function SEC(\"perf_event\"); for objects with "
				       "only maps, use pload load");
	}
	error_set(err, ENOENT, "every program is optional");
	error_reason(err, "object/no-program");
	return error_hint(err, "load the first with --prog=%s, or remove the '?' from SEC(\"%s\")",
			  obj->progs[0].name, obj->progs[0].section);
}

struct plan_entry *plan_add(struct plan *plan, uint32_t prog, struct error *err)
{
	struct plan_entry *list = array_grow(plan->list, plan->nr, sizeof(*list)), *entry;

	if (!list) {
		error_set(err, ENOMEM, "no memory for the plan");
		return NULL;
	}
	plan->list = list;
	entry = &list[plan->nr++];
	*entry = (struct plan_entry){ .prog = prog, .map = -1 };
	return entry;
}

static int no_event(const struct object_prog *p, struct error *err)
{
	error_set(err, EINVAL, "section \"%s\" does not name an event for its program",
		  p->section);
	error_reason(err, "attach/prog-type");
	explain_failure(NULL, FAILED_PLAN, p, err);
	return -EINVAL;
}

int default_event(struct sys *sys, const struct options *o, struct event_spec *spec,
		  const char **why, struct error *err)
{
	if (!o->dry_run)
		return event_default(sys, spec, why, err);
	*why = "cpu-clock: a dry run cannot ask a PMU for cycles";
	return event_plain(spec, "cpu-clock", err);
}

/* The inputs from which each program's events are found, and @plan, which receives them. */
struct planning {
	struct sys *sys;
	const struct options *o;
	const struct loading *l;
	const struct event_expand_hooks *hooks;
	struct event_list events;	/* owned; from -e: each runs every program of its type */
	struct plan *plan;
};

/* Return true if the section name of such a program may name an event. */
static bool may_name_event(const struct object_prog *p)
{
	switch (p->kind->prog_type) {
	case BPF_PROG_TYPE_PERF_EVENT:
	case BPF_PROG_TYPE_TRACEPOINT:
		return true;
	case BPF_PROG_TYPE_KPROBE:
		return !p->kind->attach_type;
	default:
		return false;
	}
}

/*
 * List the events of a program that no -e event runs: those in its section name, or the default. -F
 * and -c override the rate in the section name.
 */
static int section_events(const struct planning *pl, const struct object_prog *p,
			  struct event_list *events, struct error *err)
{
	const struct options *o = pl->o;
	struct event_spec spec;
	const char *why;
	int ret;

	if (!may_name_event(p))
		return no_event(p, err);
	if (p->target) {
		ret = events_parse_section(events, p->kind->prefix, p->target, err);
		if (!ret)
			ret = events_expand(pl->sys, events, pl->hooks, err);
		if (ret < 0)
			error_where(err, "section \"%s\"", p->section);
		for (unsigned int i = 0; i < events->nr && (o->period || o->freq); i++)
			events->specs[i].has_period = events->specs[i].has_freq = false;
		return ret;
	}
	if (p->kind->prog_type != BPF_PROG_TYPE_PERF_EVENT)
		return no_event(p, err);
	ret = default_event(pl->sys, o, &spec, &why, err);
	if (!ret)
		note(pl->plan->out, "program '%s' runs on the default event %s", p->name, why);
	if (!ret)
		ret = event_list_add(events, &spec, err);
	event_spec_free(&spec);
	return ret;
}

/* A program loaded for kprobe.multi cannot run on a single kprobe. */
static bool runs(const struct event_spec *spec, const struct object_prog *p)
{
	return event_prog_type(spec) == p->kind->prog_type &&
	       (p->kind->prog_type != BPF_PROG_TYPE_KPROBE || !p->kind->attach_type);
}

/* Add an entry for each of @events that runs program @p, whose index is @prog. */
static int add_events(struct plan *plan, uint32_t prog, const struct object_prog *p,
		      const struct event_list *events, struct error *err)
{
	struct plan_entry *entry;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < events->nr; i++) {
		if (!runs(&events->specs[i], p))
			continue;
		entry = plan_add(plan, prog, err);
		ret = entry ? event_spec_copy(&entry->spec, &events->specs[i], err) : -ENOMEM;
		plan->nr_events += !ret;
	}
	return ret;
}

static int plan_program(const struct planning *pl, uint32_t prog, struct error *err)
{
	const struct object_prog *p = &pl->l->object.progs[prog];
	struct plan *plan = pl->plan;
	const uint32_t before = plan->nr;
	struct event_list own = { 0 };
	int ret;

	ret = add_events(plan, prog, p, &pl->events, err);
	if (ret || plan->nr > before)
		return ret;
	ret = plan_add_other(plan, pl->o, &pl->l->object, prog, err);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = section_events(pl, p, &own, err);
	if (!ret)
		ret = add_events(plan, prog, p, &own, err);
	event_list_free(&own);
	return ret;
}

static const char *programs_of(const struct event_spec *spec)
{
	if (event_is_probe(spec))
		return "probes run SEC(\"kprobe\") and SEC(\"uprobe\") programs";
	return event_is_tracing(spec) ? "tracepoints run SEC(\"tracepoint\") programs" :
				       "it runs SEC(\"perf_event\") programs";
}

static bool some_program_runs(const struct loading *l, const struct event_spec *spec)
{
	for (uint32_t p = 0; p < l->object.nr_progs; p++)
		if (l->wanted[p] && runs(spec, &l->object.progs[p]))
			return true;
	return false;
}

/* Reject a -e event that runs no program. */
static int check_events(struct planning *pl, struct error *err)
{
	for (unsigned int i = 0; i < pl->events.nr; i++) {
		const struct event_spec *spec = &pl->events.specs[i];

		if (some_program_runs(pl->l, spec))
			continue;
		/* The tracepoint may be a probe, whose programs have a different type. */
		if (spec->kind == EVENT_TRACEPOINT)
			events_mark_dynamic(pl->sys, &pl->events);
		if (some_program_runs(pl->l, spec))
			continue;
		error_set(err, EINVAL, "no program in the object can run on it");
		error_where(err, "-e %s", spec->text);
		error_reason(err, "attach/prog-type");
		return error_hint(err, "%s", programs_of(spec));
	}
	return 0;
}

static int plan_events(struct planning *pl, struct error *err)
{
	const struct bpf_object *obj = &pl->l->object;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < pl->o->events.nr; i++)
		ret = events_parse(&pl->events, pl->o->events.text[i], err);
	if (!ret)
		ret = events_expand(pl->sys, &pl->events, pl->hooks, err);
	if (!ret)
		ret = check_events(pl, err);
	if (ret < 0)
		return ret;
	for (uint32_t i = 0; i < obj->nr_progs; i++) {
		if (!pl->l->wanted[i])
			continue;
		ret = plan_program(pl, i, err);
		if (ret < 0) {
			error_where(err, "prog '%s'", obj->progs[i].name);
			return ret;
		}
	}
	return 0;
}

int plan_create(struct sys *sys, const struct options *o, struct loading *l,
	      struct plan *plan, const struct event_expand_hooks *hooks, struct error *err)
{
	struct planning pl = { .sys = sys, .o = o, .l = l, .hooks = hooks, .plan = plan };
	int ret;

	*plan = (struct plan){ .out = l->out };
	ret = check_wanted(l, err);
	if (!ret && !o->test_runs)
		ret = plan_events(&pl, err);
	if (!ret && !o->test_runs)
		ret = plan_check(o, &l->object, plan, err);
	event_list_free(&pl.events);
	if (ret < 0)
		error_where(err, "%s", l->object.name);
	return ret;
}

void plan_free_entries(struct plan_entry *list, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		event_spec_free(&list[i].spec);
	free(list);
}

void plan_free(struct plan *plan)
{
	plan_free_entries(plan->list, plan->nr);
	plan_end(plan);
	*plan = (struct plan){ 0 };
}

/* --- cookies --- */

/*
 * The cookie of each program: the number from --cookie, or for a USDT program the index of its
 * arguments. core/attach/cookie.c lists the methods and targets with cookies.
 */

/*
 * The arguments of a USDT probe are in a map; the cookie of its link is the key. Without a link,
 * the program finds them by instruction pointer. In both cases the number from --cookie is stored
 * next to them (usdt_fill()).
 */
bool cookie_of(const struct options *o, const struct plan_entry *entry, uint64_t *cookie)
{
	*cookie = entry->has_arguments ? entry->arguments : o->cookie;
	return entry->has_arguments ? o->method->takes_cookie : o->has_cookie;
}

int cookie_check_options(const struct options *o, struct error *err)
{
	bool may_be_usdt = !o->events.nr;

	for (unsigned int i = 0; i < o->events.nr; i++)
		may_be_usdt |= strstr(o->events.text[i], "usdt:") != NULL;
	return may_be_usdt ? 0 : attach_cookie_check(o->method, o->has_cookie, err);
}

int cookie_check(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
		 struct error *err)
{
	for (uint32_t i = 0; i < plan->nr; i++) {
		const struct plan_entry *entry = &plan->list[i];

		if (entry->has_arguments || !attach_cookie_check(o->method, o->has_cookie, err))
			continue;
		error_where(err, "event '%s'", entry->spec.text);
		error_where(err, "prog '%s'", obj->progs[entry->prog].name);
		return error_where(err, "%s", obj->name);
	}
	return 0;
}
