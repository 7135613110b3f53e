// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Between the plan and the events: where uprobes and USDT probes are in their files. One event of
 * the command line may be at many places, and each is an entry of the plan.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/event/scope.h"
#include "loader/session/plan.h"

/* Each is opened and bound for itself. More are for programs that one link binds to all. */
#define PLACES_MAX 1000

struct placing {
	const struct options *options;
	const struct event_expand_hooks *say;
	struct symbols symbols;
	struct plan *plan;	/* what was planned ... */
	struct plan_entry *list;	/* ... and the same with places; owned, then the plan's */
	uint32_t nr;
	bool tells_arguments;	/* a program of the object looks for arguments of USDT probes */
};

static bool needs_places(const struct plan_entry *entry)
{
	return !entry->target &&
	       (entry->spec.kind == EVENT_UPROBE || entry->spec.kind == EVENT_USDT);
}

static int append(struct placing *p, const struct plan_entry *entry, struct error *err)
{
	struct plan_entry *list = p->list;

	if (!(p->nr & (p->nr - 1))) /* room for twice as many when full */
		list = realloc(list, (p->nr ? 2 * p->nr : 1) * sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for the plan");
	p->list = list;
	list[p->nr++] = *entry;
	return 0;
}

/* Which processes are meant, where they are named one by one. */
static const char *processes(const struct placing *p)
{
	const struct event_scope_options *scope = &p->options->scope;

	return scope->processes ? scope->processes : scope->threads;
}

/* A program knows the arguments of its place by its cookie, or else by the address. */
static int add_arguments(struct placing *p, const struct symbol_locations *places, uint32_t i,
			 struct plan_entry *entry, struct error *err)
{
	const int index = usdt_add(&p->plan->usdt, &places->list[i], err);

	if (index < 0)
		return index;
	entry->has_arguments = true;
	entry->arguments = index;
	if (p->options->method->takes_cookie)
		return 0;
	return usdt_add_addresses(&p->plan->usdt, &p->symbols, places, i, index, processes(p), err);
}

/* "uprobe:PATH:malloc" of "uprobe:PATH:m*": each is shown by its own name. */
static void name_place(struct event_spec *spec, const struct symbol_location *place)
{
	char *colon = strrchr(spec->text, ':');

	if (!symbol_is_pattern(spec->second) || !colon || !place->name)
		return;
	snprintf(spec->second, sizeof(spec->second), "%s", place->name);
	snprintf(colon + 1, sizeof(spec->text) - (colon + 1 - spec->text), "%s", place->name);
}

static int add_place(struct placing *p, const struct plan_entry *planned,
		     const struct symbol_locations *places, uint32_t i, struct error *err)
{
	const struct symbol_location *place = &places->list[i];
	struct plan_entry *entry;
	int ret = append(p, planned, err);

	if (ret)
		return ret;
	entry = &p->list[p->nr - 1];
	name_place(&entry->spec, place);
	strcpy(entry->spec.path, places->path);
	entry->spec.file_offset = place->file_offset;
	entry->spec.ref_ctr_offset = place->ref_ctr_offset;
	entry->spec.resolved = true;
	if (entry->spec.kind == EVENT_USDT && p->tells_arguments)
		ret = add_arguments(p, places, i, entry, err);
	return ret;
}

static int add_places(struct placing *p, const struct plan_entry *planned,
		      const struct symbol_locations *places, struct error *err)
{
	const char *text = planned->spec.text;
	int ret = 0;

	if (places->nr > PLACES_MAX) {
		error_set(err, E2BIG,
			  "it stands for %u places, and each takes a descriptor and a link",
			  places->nr);
		error_reason(err, "symbols/too-many");
		error_hint(err, "a SEC(\"uprobe.multi\") program goes on all of them by one link");
		return error_where(err, "event '%.200s'", text);
	}
	if (places->note[0])
		note(p->plan->out, "event '%s': %s", text, places->note);
	if (places->nr > 1)
		note(p->plan->out,
		     "event '%s' is at %u places of %s", text, places->nr, places->path);
	for (uint32_t i = 0; !ret && i < places->nr; i++)
		ret = add_place(p, planned, places, i, err);
	return ret;
}

/* Whether the file of @places is one that the entries from @first on have places of. */
static bool is_known(const struct symbol_locations *known, uint32_t nr,
		     const struct symbol_locations *one)
{
	for (uint32_t i = 0; i < nr; i++)
		if (known[i].dev == one->dev && known[i].ino == one->ino)
			return true;
	return false;
}

static void free_places(struct symbol_locations *places, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		symbol_locations_free(&places[i]);
	free(places);
}

/* Several processes may mean several files by one name, and each file is probed once. */
static int place(struct placing *p, const struct plan_entry *planned, struct error *err)
{
	const char *pids = processes(p);
	struct symbol_locations *places = NULL, *grown;
	uint32_t nr = 0;
	int ret = 0;

	do {
		const pid_t pid = pids ? event_tasks_next(&pids) : 0;

		grown = realloc(places, (nr + 1) * sizeof(*places));
		if (!grown) {
			ret = error_set(err, ENOMEM, "no memory for places");
			break;
		}
		places = grown;
		ret = symbols_resolve(&p->symbols, &planned->spec, pid, &places[nr], err);
		if (ret)
			break;
		if (is_known(places, nr, &places[nr]))
			symbol_locations_free(&places[nr]);
		else
			ret = add_places(p, planned, &places[nr++], err);
	} while (!ret && pids && *pids);
	free_places(places, nr);
	return ret;
}

/* Takes off what was added of the rank of @entry: it is attached whole or not at all. */
static void take_off(struct placing *p, const struct plan_entry *entry)
{
	while (p->nr && plan_same_alternatives(&p->list[p->nr - 1], entry) &&
	       p->list[p->nr - 1].spec.alt_index == entry->spec.alt_index)
		p->nr--;
}

/*
 * The entry at @i of the plan has no place. Where it is one of several alternatives the others
 * will do: *@next is the first entry of another rank.
 */
static int without(struct placing *p, uint32_t i, uint32_t *next, struct error *err)
{
	const struct plan_entry *old = p->plan->list, *entry = &old[i];
	struct error why = *err;
	bool earlier, later;
	int ret = 0;

	while (*next < p->plan->nr && plan_same_alternatives(&old[*next], entry) &&
	       old[*next].spec.alt_index == entry->spec.alt_index)
		(*next)++;
	take_off(p, entry);
	earlier = p->nr && plan_same_alternatives(&p->list[p->nr - 1], entry);
	later = *next < p->plan->nr && plan_same_alternatives(&old[*next], entry);
	if (!earlier && !later)
		return err->code;
	*err = (struct error){ 0 };
	if (earlier)
		note(p->plan->out, "event '%s' is no alternative: %s", entry->spec.text, why.what);
	else
		ret = p->say->fallback(p->say->arg, entry->spec.text, old[*next].spec.text, &why,
				      err);
	error_clear(&why);
	return ret;
}

static int place_all(struct placing *p, const struct bpf_object *obj, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0, next; !ret && i < p->plan->nr; i = next) {
		const struct plan_entry *entry = &p->plan->list[i];

		next = i + 1;
		ret = needs_places(entry) ? place(p, entry, err) : append(p, entry, err);
		if (ret < 0 && ret != -ENOMEM && entry->spec.alt_set)
			ret = without(p, i, &next, err);
		if (ret < 0)
			error_where(err, "prog '%s'", obj->progs[entry->prog].name);
	}
	return ret;
}

int resolve_uprobes(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		const char *search, struct plan *plan, const struct event_expand_hooks *say,
		struct error *err)
{
	struct placing p = { .options = o, .say = say, .plan = plan };
	uint32_t i = 0;
	int ret;

	while (i < plan->nr && !needs_places(&plan->list[i]))
		i++;
	if (i == plan->nr)
		return 0;
	p.tells_arguments = usdt_is_used(obj);
	symbols_init(&p.symbols, sys, search);
	ret = place_all(&p, obj, err);
	symbols_free(&p.symbols);
	if (ret < 0) {
		free(p.list);
		return error_where(err, "%s", obj->name);
	}
	free(plan->list);
	plan->list = p.list;
	plan->nr = p.nr;
	plan->nr_events = 0;
	for (i = 0; i < plan->nr; i++)
		plan->nr_events += !plan->list[i].target;
	return 0;
}
