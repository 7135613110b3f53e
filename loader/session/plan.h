/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which program goes on which event or attach point: decided from the object and the command line
 * before the kernel is asked for anything.
 */
#ifndef PLOAD_SESSION_PLAN_H
#define PLOAD_SESSION_PLAN_H

#include "loader/session/load.h"
#include "loader/session/with/usdt_arguments.h"
#include "loader/features/multi/multi.h"

struct plan_entry {
	uint32_t prog;		/* index into the object's programs */
	const struct link_target *target;	/* NULL: it goes on an event, which is ... */
	struct event_spec spec;
	bool told;		/* a USDT probe whose program finds in plan.usdt ... */
	uint32_t arguments;	/* ... where its arguments are: under this number, its cookie */
	bool dropped;		/* not attached: another event of its choice is */
	uint32_t nr_functions;	/* with TARGET_FUNCTIONS, once it is attached: to so many */
	int map;		/* with a point that is about a map: which of the object's; -1:
				 * another one */
};

struct plan {
	struct output *out;	/* borrowed; notes go there */
	struct plan_entry *list;	/* owned; empty for --test-run */
	uint32_t nr, nr_events;	/* nr_events of them go on events */
	struct usdt usdt;	/* where the arguments of USDT probes are */
};

/* default_event() - the event where none is named, and why that one; a dry run asks nobody. */
int default_event(struct sys *sys, const struct options *o, struct event_spec *spec,
		  const char **why, struct error *err);

/*
 * plan_link_target() - what to ask of loader/attach for an entry that has a point; its program's fd is
 * -1.
 */
struct link_target_request plan_link_target(const struct options *o, const struct bpf_object *obj,
				const struct plan_entry *entry);

/* plan_multi() - what to ask of loader/multi for an entry with TARGET_FUNCTIONS; likewise. many.c */
struct multi_request plan_multi(const struct options *o, const struct bpf_object *obj,
			       const struct plan_entry *entry);

/*
 * plan_map() - which map the program of @entry, which has a point, is attached to or goes over:
 * what --target-map names, or the only one of the object that fits. 1: entry->map says which; 0:
 * the point is about no map. Fails with EINVAL or ENOENT, and the maps that there are. target_map.c
 */
int plan_map(const struct options *o, const struct bpf_object *obj, struct plan_entry *entry,
	     struct error *err);

/* plan_map_name() - what that map is called, after plan_map(); NULL: the point is about none. */
const char *plan_map_name(const struct options *o, const struct bpf_object *obj,
			  const struct plan_entry *entry);

/*
 * plan_make() - for each program that @l wants: the events of -e that carry its type, else the one
 * its section names, else the default; or, by link, the attach point that its type has. Fails when
 * a program fits no event, or an event no program; the place is "prog 'x'" or "-e x".
 * @say: to whom to tell what events stand for.
 */
int plan_make(struct sys *sys, const struct options *o, struct loading *l,
	      struct plan *plan, const struct event_say *say, struct error *err);
void plan_free(struct plan *plan);

/*
 * resolve_uprobes() - find where uprobes and USDT probes are in their files, which names alone do not
 * say: an entry for each place. @search: what PATH says, or NULL. An event that has no place is
 * left out when there is an alternative, which @say is told. Fails as symbols_resolve(), and with
 * "symbols/too-many", "usdt/no-address". places.c
 */
int resolve_uprobes(struct sys *sys, const struct options *o, const struct bpf_object *obj,
		const char *search, struct plan *plan, const struct event_say *say,
		struct error *err);

/*
 * plan_cookie() - refuse --cookie where a program would not know it: by a method that has none, but
 * on USDT probes, whose arguments have one with them. plan_no_cookie() - say that there is none:
 * -EINVAL, "attach/no-cookie".
 */
int plan_cookie(const struct options *o, const struct bpf_object *obj, const struct plan *plan,
		struct error *err);
int plan_no_cookie(const struct options *o, struct error *err);

#endif
