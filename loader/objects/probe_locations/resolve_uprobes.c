// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resolve uprobes and USDT probes to locations in their files. One event of the command line may
 * have many locations, and each becomes an entry of the plan.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/event/scope.h"
#include "loader/core/session/plan.h"

/* Every location needs an event and a link of its own. */
#define LOCATIONS_MAX 1000

struct resolver {
	const struct options *options;
	const struct event_expand_hooks *hooks;
	struct symbols symbols;
	struct plan *plan;	/* the plan so far ... */
	struct plan_entry *list;	/* ... and the new one; owned, later the plan's */
	uint32_t nr;
	bool uses_arguments;	/* the object's programs look up USDT arguments */
};

static bool needs_locations(const struct plan_entry *entry)
{
	return !entry->target &&
	       (entry->spec.kind == EVENT_UPROBE || entry->spec.kind == EVENT_USDT);
}

static int append(struct resolver *p, const struct plan_entry *entry, struct error *err)
{
	struct plan_entry *list = array_grow(p->list, p->nr, sizeof(*list));
	int ret;

	if (!list)
		return error_set(err, ENOMEM, "no memory for the plan");
	p->list = list;
	list[p->nr] = *entry;
	ret = event_spec_copy(&list[p->nr].spec, &entry->spec, err);
	p->nr += !ret;
	return ret;
}

/* The processes of -p or -t, in whose mount namespaces the files are looked up. */
static const char *processes(const struct resolver *p)
{
	const struct event_scope_options *scope = &p->options->scope;

	return scope->processes ? scope->processes : scope->threads;
}

/* A program finds the arguments of its location by cookie, otherwise by address. */
static int add_arguments(struct resolver *p, const struct symbol_locations *locations, uint32_t i,
			 struct plan_entry *entry, struct error *err)
{
	const int index = usdt_add(&p->plan->usdt, &locations->list[i], err);

	if (index < 0)
		return index;
	entry->has_arguments = true;
	entry->arguments = index;
	if (p->options->method->takes_cookie)
		return 0;
	return usdt_add_addresses(&p->plan->usdt, &p->symbols, locations, i, index, processes(p),
				  err);
}

/* Name each location of "uprobe:PATH:m*" after its function: "uprobe:PATH:malloc". */
static int name_location(struct event_spec *spec, const struct symbol_location *location,
			 struct error *err)
{
	const char *colon = strrchr(spec->text, ':');
	char *text, *symbol;

	if (!symbol_is_pattern(spec->uprobe.symbol) || !colon || !location->name)
		return 0;
	if (asprintf(&text, "%.*s%s", (int)(colon + 1 - spec->text), spec->text,
		     location->name) < 0)
		return error_set(err, ENOMEM, "no memory for the name of an event");
	free(spec->text);
	spec->text = text;
	symbol = strdup(location->name);
	if (!symbol)
		return error_set(err, ENOMEM, "no memory for the name of a function");
	free(spec->uprobe.symbol);
	spec->uprobe.symbol = symbol;
	return 0;
}

static int add_location(struct resolver *p, const struct plan_entry *planned,
		     const struct symbol_locations *locations, uint32_t i, struct error *err)
{
	const struct symbol_location *location = &locations->list[i];
	struct plan_entry *entry;
	int ret = append(p, planned, err);

	if (ret)
		return ret;
	entry = &p->list[p->nr - 1];
	ret = name_location(&entry->spec, location, err);
	if (!ret)
		ret = event_spec_resolve(&entry->spec, locations->path, location->file_offset,
					 location->ref_ctr_offset, err);
	if (!ret && entry->spec.kind == EVENT_USDT && p->uses_arguments)
		ret = add_arguments(p, locations, i, entry, err);
	return ret;
}

static int add_locations(struct resolver *p, const struct plan_entry *planned,
			 const struct symbol_locations *locations, struct error *err)
{
	const char *text = planned->spec.text;
	int ret = 0;

	if (locations->nr > LOCATIONS_MAX) {
		error_set(err, E2BIG,
			  "it has %u locations, each of which needs an event and a link",
			  locations->nr);
		error_reason(err, "symbols/too-many");
		error_hint(err, "use SEC(\"uprobe.multi\"), which attaches a program to all of "
				"them with one link");
		return error_where(err, "event '%.200s'", text);
	}
	if (locations->note[0])
		note(p->plan->out, "event '%s': %s", text, locations->note);
	if (locations->nr > 1)
		note(p->plan->out,
		     "event '%s' has %u locations in %s", text, locations->nr, locations->path);
	for (uint32_t i = 0; !ret && i < locations->nr; i++)
		ret = add_location(p, planned, locations, i, err);
	return ret;
}

/* Return true if the file of @one is among the @nr files of @known. */
static bool is_known(const struct symbol_locations *known, uint32_t nr,
		     const struct symbol_locations *one)
{
	for (uint32_t i = 0; i < nr; i++)
		if (known[i].dev == one->dev && known[i].ino == one->ino)
			return true;
	return false;
}

static void free_locations(struct symbol_locations *locations, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		symbol_locations_free(&locations[i]);
	free(locations);
}

/* A path may lead to different files in different processes. Each file is probed once. */
static int resolve(struct resolver *p, const struct plan_entry *planned, struct error *err)
{
	const char *pids = processes(p);
	struct symbol_locations *locations = NULL, *grown;
	uint32_t nr = 0;
	int ret = 0;

	do {
		const pid_t pid = pids ? event_tasks_next(&pids) : 0;

		grown = array_grow(locations, nr, sizeof(*locations));
		if (!grown) {
			ret = error_set(err, ENOMEM, "no memory for locations");
			break;
		}
		locations = grown;
		ret = symbols_resolve(&p->symbols, &planned->spec, pid, &locations[nr], err);
		if (ret)
			break;
		if (is_known(locations, nr, &locations[nr]))
			symbol_locations_free(&locations[nr]);
		else
			ret = add_locations(p, planned, &locations[nr++], err);
	} while (!ret && pids && *pids);
	free_locations(locations, nr);
	return ret;
}

/*
 * Remove what was added for the alternative of @entry, which is attached completely or not at all.
 */
static void remove_alternative(struct resolver *p, const struct plan_entry *entry)
{
	while (p->nr && plan_same_alternatives(&p->list[p->nr - 1], entry) &&
	       p->list[p->nr - 1].spec.alt_index == entry->spec.alt_index)
		event_spec_free(&p->list[--p->nr].spec);
}

/*
 * Entry @i did not resolve. If it is one of several alternatives, drop it and set *@next to the
 * first entry after it. Otherwise return the error.
 */
static int drop_alternative(struct resolver *p, uint32_t i, uint32_t *next, struct error *err)
{
	const struct plan_entry *old = p->plan->list, *entry = &old[i];
	struct error why = *err;
	bool earlier, later;
	int ret = 0;

	while (*next < p->plan->nr && plan_same_alternatives(&old[*next], entry) &&
	       old[*next].spec.alt_index == entry->spec.alt_index)
		(*next)++;
	remove_alternative(p, entry);
	earlier = p->nr && plan_same_alternatives(&p->list[p->nr - 1], entry);
	later = *next < p->plan->nr && plan_same_alternatives(&old[*next], entry);
	if (!earlier && !later)
		return err->code;
	*err = (struct error){ 0 };
	if (earlier)
		note(p->plan->out, "event '%s' is not used as an alternative: %s", entry->spec.text,
		     why.what);
	else
		ret = p->hooks->fallback(p->hooks->arg, entry->spec.text,
					 old[*next].spec.text, &why, err);
	error_clear(&why);
	return ret;
}

static int resolve_all(struct resolver *p, const struct bpf_object *obj, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0, next; !ret && i < p->plan->nr; i = next) {
		const struct plan_entry *entry = &p->plan->list[i];

		next = i + 1;
		ret = needs_locations(entry) ? resolve(p, entry, err) : append(p, entry, err);
		if (ret < 0 && ret != -ENOMEM && entry->spec.alt_set)
			ret = drop_alternative(p, i, &next, err);
		if (ret < 0 && !entry->spec.counts)
			error_where(err, "prog '%s'", obj->progs[entry->prog].name);
	}
	return ret;
}

int resolve_uprobes(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		const char *search, struct plan *plan, const struct event_expand_hooks *hooks,
		struct error *err)
{
	struct resolver p = { .options = o, .hooks = hooks, .plan = plan };
	uint32_t i = 0;
	int ret;

	while (i < plan->nr && !needs_locations(&plan->list[i]))
		i++;
	if (i == plan->nr)
		return 0;
	p.uses_arguments = usdt_is_used(obj);
	symbols_init(&p.symbols, sys, search);
	ret = resolve_all(&p, obj, err);
	symbols_free(&p.symbols);
	if (ret < 0) {
		plan_free_entries(p.list, p.nr);
		return obj->name ? error_where(err, "%s", obj->name) : ret;
	}
	plan_free_entries(plan->list, plan->nr);
	plan->list = p.list;
	plan->nr = p.nr;
	plan->nr_events = 0;
	for (i = 0; i < plan->nr; i++)
		plan->nr_events += !plan->list[i].target;
	return 0;
}

static int fill_arguments(struct loading *l, const struct plan *plan, const struct options *o,
			  struct error *err)
{
	return usdt_fill(l, &plan->usdt, o->cookie, err);
}

static void end_arguments(struct plan *plan)
{
	usdt_free(&plan->usdt);
}

const struct plan_feature plan_uprobes = {
	.resolve = resolve_uprobes, .fill = fill_arguments, .end = end_arguments,
};
