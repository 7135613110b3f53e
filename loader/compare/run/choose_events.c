// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Choose the events that pload compare attaches to, and a program for each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/compare/run/run.h"
#include "loader/compare/document/document.h"
#include "loader/compare/measure/compare.h"
#include "loader/core/value/value.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/objects/symbols/symbols.h"

#define CLOCK_PERIOD 100000	/* about ten samples in a millisecond of CPU time */

uint64_t compare_period(const struct event_spec *spec)
{
	switch (spec->kind) {
	case EVENT_SOFTWARE:
		return event_is_clock(spec) ? CLOCK_PERIOD : 0;
	case EVENT_HARDWARE:
	case EVENT_CACHE:
	case EVENT_RAW:
	case EVENT_PMU:
		return CLOCK_PERIOD;
	default:
		return 0;
	}
}

struct choosing {
	struct sys *sys;
	struct kernel_types *types;
	struct compare_plan *plan;
	const char *word;	/* take only events of this kind; NULL: of all kinds */
	const char *last;	/* the kind of the previous event */
	unsigned int taken;	/* the number of events of that kind so far */
	struct event_spec unopened;	/* owned; the first of kind word that does not open; without
					 * text: none yet */
	struct error *err;
};

/* --- events of each kind --- */

/* Return true if some cell opens the event; else @err is the error of the first cell. */
static bool opens(struct sys *sys, const struct event_spec *spec, struct error *err)
{
	struct compare_subject s = { .sys = sys, .spec = spec, .period = compare_period(spec) };
	bool any = false;

	compare_prepare(&s);
	for (int i = 0; !any && i < COMPARE_NR_CELLS; i++) {
		struct compare_event e;

		any = !compare_open(&s, &s.cells[i], &e, i ? NULL : err);
		compare_close(&s, &e);
	}
	compare_end(&s);
	return any;
}

/*
 * One event of each kind is enough, with three exceptions: of software events take one that samples
 * a clock and one that counts single occurrences; take every tracepoint and breakpoint that this
 * process can trigger; take one event of every other PMU.
 */
static bool is_enough(const struct choosing *c, const struct event_spec *spec)
{
	const struct firing_work *work = firing_work_find(spec);

	switch (spec->kind) {
	case EVENT_HARDWARE:
	case EVENT_CACHE:
		return c->taken;
	case EVENT_SOFTWARE:
		return !work->certain || (c->taken && work->load) || c->taken == 2;
	default:
		return false;
	}
}

int compare_plan_leave_out(struct compare_plan *plan, const struct event_spec *spec,
			   const struct error *why, struct error *err)
{
	struct json_object *o = json_object_new_object();

	value_add_string(o, "event", spec->text);
	value_add_string(o, "type", compare_type_name(spec));
	value_add(o, "error", doc_error(why));
	if (value_append(plan->left_out, o))
		return 0;
	return error_set(err, ENOMEM, "no memory to note what is left out");
}

static int keep_unopened(struct choosing *c, const struct event_spec *spec)
{
	return c->unopened.text ? 0 : event_spec_copy(&c->unopened, spec, c->err);
}

static bool is_only_one(const struct event_spec *spec)
{
	return event_is_tracing(spec) || spec->kind == EVENT_BREAKPOINT;
}

static int choose(void *arg, const char *group, const struct event_spec *spec, uint64_t period)
{
	struct choosing *c = arg;
	const char *kind = compare_type_name(spec);
	struct error why = { 0 };
	int ret;

	(void)group;
	(void)period;
	if (c->word && strcmp(c->word, kind))
		return 0;
	if (!c->last || strcmp(c->last, kind))
		c->taken = 0;
	c->last = kind;
	if (is_enough(c, spec))
		return 0;
	/* Always take the only event of its kind; its cells report why it does not open. */
	if ((c->word && is_only_one(spec)) || opens(c->sys, spec, &why)) {
		c->taken++;
		ret = event_list_add(&c->plan->events, spec, c->err);
	} else {
		ret = c->word ? keep_unopened(c, spec) :
				compare_plan_leave_out(c->plan, spec, &why, c->err);
	}
	error_clear(&why);
	return ret;
}

static int choose_all(struct choosing *c, const char *word)
{
	const unsigned int before = c->plan->events.nr;
	int ret;

	c->word = word;
	c->last = NULL;
	ret = capability_visit_events(c->sys, c->types, choose, c, c->err);
	/* The user named this kind: take one event, so that its error is printed. */
	if (!ret && c->unopened.text && c->plan->events.nr == before)
		ret = event_list_add(&c->plan->events, &c->unopened, c->err);
	event_spec_free(&c->unopened);
	return ret;
}

/* Return true if @text is a word for a kind of events; no event has such a name. */
static bool is_kind(const char *text)
{
	static const char *const kinds[] = { "hardware", "software", "cache", "tracepoint",
					     "breakpoint", "kprobe", "kretprobe", "uprobe",
					     "uretprobe", "pmu" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(text, kinds[i]))
			return true;
	return false;
}

/* --- events by name --- */

static int note_instead(void *arg, const char *wanted, const char *taken, const struct error *why,
		       struct error *err)
{
	(void)err;
	note(arg, "event '%s' instead of '%s': %s", taken, wanted, why->what);
	return 0;
}

/* If there are several locations, use the first: each method attaches to one. */
static int resolve(struct sys *sys, struct output *out, struct event_spec *spec, struct error *err)
{
	struct symbol_locations locations;
	struct symbols symbols;
	int ret;

	if (spec->resolved || (spec->kind != EVENT_UPROBE && spec->kind != EVENT_USDT))
		return 0;
	symbols_init(&symbols, sys, getenv("PATH"));
	ret = symbols_resolve(&symbols, spec, 0, &locations, err);
	if (!ret) {
		if (locations.nr > 1)
			note(out, "event '%s' is at %u locations: only the first is compared",
			     spec->text, locations.nr);
		ret = event_spec_resolve(spec, locations.path, locations.list[0].file_offset,
					 locations.list[0].ref_ctr_offset, err);
		symbol_locations_free(&locations);
	}
	symbols_free(&symbols);
	return ret;
}

/* @prefix: prefix of a section name with target @text; NULL: @text is a value of -e. */
static int add_named(struct sys *sys, struct compare_plan *plan, const char *prefix,
		     const char *text, struct error *err)
{
	const struct event_expand_hooks hooks = { note_text, note_instead, plan->out };
	struct event_list list = { 0 };
	int ret = prefix ? event_list_section(&list, prefix, text, err) :
			   event_list_parse(&list, text, err);

	if (!ret)
		ret = event_list_expand(sys, &list, &hooks, err);
	for (unsigned int i = 0; !ret && i < list.nr; i++) {
		ret = resolve(sys, plan->out, &list.specs[i], err);
		if (!ret)
			ret = event_list_add(&plan->events, &list.specs[i], err);
	}
	event_list_free(&list);
	return ret;
}

static int add_asked(struct choosing *c, const struct options *o)
{
	int ret = o->compare.all ? choose_all(c, NULL) : 0;

	for (unsigned int i = 0; !ret && i < o->events.nr; i++) {
		const char *text = o->events.text[i];

		if (is_kind(text))
			ret = choose_all(c, text);
		else
			ret = add_named(c->sys, c->plan, NULL, text, c->err);
	}
	return ret;
}

/* --- programs --- */

static bool carries(const struct event_spec *spec, const struct object_prog *p)
{
	return event_prog_type(spec) == p->kind->prog_type;
}

static int add_pair(struct compare_plan *plan, const struct event_spec *spec, uint32_t prog,
		    struct error *err)
{
	uint32_t *progs = array_grow(plan->progs, plan->events.nr, sizeof(*progs));

	if (!progs)
		return error_set(err, ENOMEM, "no memory for events and programs");
	plan->progs = progs;
	progs[plan->events.nr] = prog;
	return event_list_add(&plan->events, spec, err);
}

/* Add the event that the section names, or else cpu-clock. */
static int add_own(struct sys *sys, struct compare_plan *to, uint32_t prog,
		   const struct object_prog *p, struct error *err)
{
	struct compare_plan own = { .out = to->out };
	const bool named = p->target && (p->kind->prog_type == BPF_PROG_TYPE_PERF_EVENT ||
					 p->kind->prog_type == BPF_PROG_TYPE_TRACEPOINT ||
					 p->kind->prog_type == BPF_PROG_TYPE_KPROBE);
	int ret = named ? add_named(sys, &own, p->kind->prefix, p->target, err) :
			  add_named(sys, &own, NULL, "cpu-clock", err);

	for (unsigned int i = 0; !ret && i < own.events.nr; i++)
		ret = add_pair(to, &own.events.specs[i], prog, err);
	event_list_free(&own.events);
	return ret;
}

/*
 * Pair the program with each event that its type fits. If there is none, pair it with all events
 * that the user named, so that the kernel's error is printed.
 */
static int add_program(struct sys *sys, const struct options *o, const struct event_list *asked,
		       uint32_t prog, const struct object_prog *p, struct compare_plan *to,
		       struct error *err)
{
	const unsigned int before = to->events.nr;
	int ret = 0;

	for (int any = 0; any < 2 && to->events.nr == before; any++)
		for (unsigned int i = 0; !ret && i < asked->nr; i++)
			if (any ? !o->compare.all : carries(&asked->specs[i], p))
				ret = add_pair(to, &asked->specs[i], prog, err);
	if (!ret && !asked->nr)
		ret = add_own(sys, to, prog, p, err);
	if (!ret && to->events.nr == before)
		note(to->out, "program '%s' does not fit any kind of event that this kernel can "
			      "open", p->name);
	return ret < 0 ? error_where(err, "prog '%s'", p->name) : 0;
}

static int add_programs(struct sys *sys, const struct options *o, struct loading *l,
			struct compare_plan *plan, struct error *err)
{
	struct event_list asked = plan->events;
	int ret = 0;

	plan->events = (struct event_list){ 0 };
	for (uint32_t i = 0; !ret && i < l->object.nr_progs; i++)
		if (l->wanted[i])
			ret = add_program(sys, o, &asked, i, &l->object.progs[i], plan, err);
	event_list_free(&asked);
	return ret;
}

int compare_choose_events(struct sys *sys, struct output *out, const struct options *o,
		      struct loading *l, struct kernel_types *types, struct compare_plan *plan,
		      struct error *err)
{
	struct choosing c = { .sys = sys, .types = types, .plan = plan, .err = err };
	int ret;

	plan->out = out;
	plan->left_out = json_object_new_array();
	if (!plan->left_out)
		return error_set(err, ENOMEM, "no memory to note what is left out");
	ret = add_asked(&c, o);
	if (!ret && l)
		return add_programs(sys, o, l, plan, err);
	if (!ret && !plan->events.nr && !o->compare.all && !o->events.nr)
		ret = add_named(sys, plan, NULL, "cpu-clock", err);
	return ret;
}

void compare_plan_free(struct compare_plan *plan)
{
	json_object_put(plan->left_out);
	event_list_free(&plan->events);
	free(plan->progs);
	*plan = (struct compare_plan){ 0 };
}
