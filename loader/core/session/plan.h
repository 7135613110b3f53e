/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The plan: which program is attached to which event or link target. It is made from the object and
 * the command line before anything is loaded.
 */
#ifndef PLOAD_CORE_SESSION_PLAN_H
#define PLOAD_CORE_SESSION_PLAN_H

#include "loader/core/attach/link_target.h"
#include "loader/objects/multi/multi.h"
#include "loader/objects/symbols/symbols.h"
#include "loader/core/session/load.h"

/* --- USDT arguments: probe_locations/usdt_arguments.c --- */

/* A list of arguments, which several locations can share. */
struct usdt_arguments {
	char *name;		/* owned; the first probe that has them, for messages */
	struct sdt_arg *args;	/* owned */
	uint32_t nr;
};

/* The address of a probe in a process, for programs without a cookie. */
struct usdt_address {
	uint64_t ip;
	uint32_t arguments;	/* index */
};

/* The USDT arguments of a plan. All zero means empty. */
struct usdt {
	struct usdt_arguments *list;	/* owned; programs refer to them by index */
	uint32_t nr;
	struct usdt_address *addresses;	/* owned */
	uint32_t nr_addresses;
};

/**
 * usdt_is_used() - Return true if programs of @obj look up arguments, that is, include usdt.bpf.h.
 * usdt_add() - Return the index of the arguments of @location, which equal arguments share, or
 * -ENOMEM.
 * usdt_add_addresses() - Let programs without a cookie find arguments @index by the address of
 * location @i of @locations in each process in @pids ("12,34"; NULL: unknown). "usdt/no-address".
 * usdt_fill() - Write the arguments to the maps of @l, which must be loaded.
 * @cookie: returned by bpf_usdt_cookie().
 */
bool usdt_is_used(const struct bpf_object *obj);
int usdt_add(struct usdt *u, const struct symbol_location *location, struct error *err);
int usdt_add_addresses(struct usdt *u, struct symbols *s, const struct symbol_locations *locations,
		       uint32_t i, uint32_t index, const char *pids, struct error *err);
int usdt_fill(struct loading *l, const struct usdt *u, uint64_t cookie, struct error *err);
void usdt_free(struct usdt *u);

/* --- the plan --- */

/* One program and one event or link target. */
struct plan_entry {
	uint32_t prog;		/* index into the object's programs */
	const struct link_target *target;	/* NULL: the event @spec */
	bool has_arguments;	/* a USDT probe: its program finds its arguments in plan.usdt ... */
	uint32_t arguments;	/* ... at this index */
	bool dropped;		/* not attached: another alternative is used */
	uint32_t nr_functions;	/* TARGET_FUNCTIONS, once attached */
	int map;		/* index of the map that it is attached to; -1: not in the object */
	struct event_spec spec;	/* owned; if there is no target */
};

struct plan {
	struct output *out;	/* borrowed; receives notes */
	struct plan_entry *list;	/* owned, in program order; empty for --test-run */
	uint32_t nr, nr_events;	/* number of entries that have an event */
	struct usdt usdt;
};

/**
 * plan_create() - For each program to load, choose the -e events that can run it, otherwise those
 * in its section name, otherwise the default event; or the link target of its type.
 *
 * Fails if a program has no event, or an event no program.
 */
int plan_create(struct sys *sys, const struct options *o, struct loading *l,
		struct plan *plan, const struct event_expand_hooks *hooks, struct error *err);
void plan_free(struct plan *plan);

/* plan_free_entries() - Free a list of entries. */
void plan_free_entries(struct plan_entry *list, uint32_t nr);

/**
 * default_event() - Choose the event of a program that names none.
 * @why: set to the reason, a static string.
 */
int default_event(struct sys *sys, const struct options *o, struct event_spec *spec,
		  const char **why, struct error *err);

/**
 * resolve_uprobes() - Replace each uprobe and USDT entry by one entry per location in its file.
 * (probe_locations/resolve_uprobes.c)
 * @search: PATH, or NULL.
 *
 * Drops alternatives that do not resolve. Fails like symbols_resolve(), and with
 * "symbols/too-many", "usdt/no-address".
 */
int resolve_uprobes(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		    const char *search, struct plan *plan, const struct event_expand_hooks *hooks,
		    struct error *err);

/**
 * plan_add() - Append an empty entry for program @prog. NULL if out of memory. (plan.c)
 */
struct plan_entry *plan_add(struct plan *plan, uint32_t prog, struct error *err);

/**
 * plan_link_target() - Return the request of an entry with a link target; its prog_fd is -1.
 * plan_multi() - The same for TARGET_FUNCTIONS.
 */
struct target_request plan_link_target(const struct options *o, const struct bpf_object *obj,
				       const struct plan_entry *entry);
struct multi_request plan_multi(const struct options *o, const struct bpf_object *obj,
				const struct plan_entry *entry);

/**
 * plan_map() - Choose the map that an entry attaches to or iterates over: that of --target-map, or
 * the object's only suitable map. (targets/target_map.c)
 *
 * Return: 1 with entry->map set; 0 if its target has no map; -EINVAL or -ENOENT.
 * plan_map_name() - Return the name of that map; NULL: none.
 */
int plan_map(const struct options *o, const struct bpf_object *obj, struct plan_entry *entry,
	     struct error *err);
const char *plan_map_name(const struct options *o, const struct bpf_object *obj,
			  const struct plan_entry *entry);

/**
 * cookie_of() - Return true if the program of @entry gets a cookie, and set *@cookie.
 * cookie_check_options() - Reject --cookie if the method cannot pass it, unless -e may be a USDT
 * probe. Called before the object is read.
 * cookie_check() - The same check once all USDT probes are known. "attach/no-cookie".
 */
bool cookie_of(const struct options *o, const struct plan_entry *entry, uint64_t *cookie);
int cookie_check_options(const struct options *o, struct error *err);
int cookie_check(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
		 struct error *err);

/* Return true if two entries belong to one set of alternatives "a,or=b". */
static inline bool plan_same_alternatives(const struct plan_entry *a, const struct plan_entry *b)
{
	return a->prog == b->prog && !a->target && !b->target && a->spec.alt_set &&
	       a->spec.alt_set == b->spec.alt_set;
}

/**
 * plan_same_uprobe() - Return true if @entry is another location of the previous entry's uprobe.
 */
bool plan_same_uprobe(const struct plan_entry *entry);

/* --- features: targets/, probe_locations/ --- */

struct session;

/*
 * Attach the entry at @first, which has an event, and the entries that belong to it, up to *@end.
 * With @late, only entries that must be attached after all others; otherwise only the rest.
 */
typedef int session_attach_fn(struct session *s, uint32_t first, uint32_t *end, bool late,
			      struct error *err);

/* NULL: no hook. Hooks that return int return 0 or -errno, or 1 as described. */
struct plan_feature {
	/* Plan program @prog, which no -e event runs. Return: 1 if done. */
	int (*add)(struct plan *plan, const struct options *o, const struct bpf_object *obj,
		   uint32_t prog, struct error *err);
	/* Check that every option names something that a program uses. */
	int (*check)(const struct options *o, const struct bpf_object *obj,
		     const struct plan *plan, struct error *err);
	/* Look up the files and symbols named by events. */
	int (*resolve)(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		       const char *search, struct plan *plan,
		       const struct event_expand_hooks *hooks, struct error *err);
	/* Called when the object's maps have been created. */
	int (*fill)(struct loading *l, const struct plan *plan, const struct options *o,
		    struct error *err);
	/* Write the name of what the entry attaches to instead of an event: "lo (xdp)". */
	void (*text)(const struct options *o, const struct bpf_object *obj,
		     const struct plan_entry *entry, char *text, size_t size);
	/* Attach the program of entry @i, which has no event. */
	int (*attach)(struct session *s, uint32_t i, struct error *err);
	/* How the user learns what events_expand() chose. */
	struct event_expand_hooks (*event_hooks)(struct session *s);
	session_attach_fn *attach_events;	/* replaces session_attach_event() */
	/* Run the programs instead of attaching them. Return: 1 if done. */
	int (*run)(struct session *s, struct error *err);
	void (*end)(struct plan *plan);
};

/* All features' hooks, in table order. */
int plan_add_other(struct plan *plan, const struct options *o, const struct bpf_object *obj,
		   uint32_t prog, struct error *err);
int plan_resolve(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		 const char *search, struct plan *plan, const struct event_expand_hooks *hooks,
		 struct error *err);
int plan_fill(struct loading *l, const struct plan *plan, const struct options *o,
	      struct error *err);
void plan_text(const struct options *o, const struct bpf_object *obj,
	       const struct plan_entry *entry, char *text, size_t size);
int plan_attach(struct session *s, uint32_t i, struct error *err);
int plan_run(struct session *s, struct error *err);
struct event_expand_hooks plan_event_hooks(struct session *s);
session_attach_fn *plan_attach_events(void);
int plan_check(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
	       struct error *err);
void plan_end(struct plan *plan);

#endif
