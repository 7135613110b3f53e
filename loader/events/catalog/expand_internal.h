/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that expand a spec into one spec per event. */
#ifndef PLOAD_EVENTS_CATALOG_EXPAND_INTERNAL_H
#define PLOAD_EVENTS_CATALOG_EXPAND_INTERNAL_H

#include "loader/core/event/steps.h"
#include "loader/events/catalog/catalog.h"
#include "loader/events/grammar/grammar_internal.h"

/* Names found in a directory. All zero means empty. */
struct names {
	char **list;		/* owned, including each name */
	unsigned int nr;
};

/**
 * names_add() - Append a copy of @name to the struct names @arg. Return: 0, -ENOMEM or -E2BIG.
 * names_sort() - Sort, with numbers by value: uncore_imc_2 before uncore_imc_10.
 */
int names_add(void *arg, const char *name);
void names_sort(struct names *names);
void names_free(struct names *names);

/* An expansion: its input and output. */
struct expansion {
	struct sys *sys;
	struct event_list *out;
	const struct event_expand_hooks *say;
	unsigned int nr_tracepoints;	/* number of events that globs were expanded to */
};

/** expand_fn - Expand a spec of one kind: append one or more specs to x->out. */
typedef int expand_fn(struct expansion *x, const struct event_spec *spec, struct error *err);

expand_fn expand_tracepoint;	/* a glob: every matching tracepoint */
expand_fn expand_alias;		/* every PMU that lists it */
expand_fn expand_pmu;		/* every PMU whose name matches the name, prefix or glob */
expand_fn expand_core;		/* the PMU of each kind of cores */

/** expand_note() - Print a note to the user, like printf(3). */
void expand_note(const struct expansion *x, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* --- catalog_pmu.c --- */

struct walker {
	struct sys *sys;
	const struct event_visitor *visitor;
};

/** walk_pmus() - Visit the PMUs and their events, like event_catalog(). */
int walk_pmus(const struct walker *w, struct error *err);

#endif
