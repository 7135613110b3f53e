/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that expand a spec into one spec for each event. */
#ifndef PLOAD_EVENTS_CATALOG_EXPAND_INTERNAL_H
#define PLOAD_EVENTS_CATALOG_EXPAND_INTERNAL_H

#include "loader/core/event/steps.h"
#include "loader/events/catalog/catalog.h"
#include "loader/events/grammar/grammar_internal.h"

/* Names found in a directory. Zeroed is empty. */
struct names {
	char **list;		/* owned, and so is each of them */
	unsigned int nr;
};

/**
 * names_add() - Append a copy of @name to the struct names @arg. Return: 0, -ENOMEM or -E2BIG.
 * names_sort() - Sort; numbers by value: uncore_imc_2 before uncore_imc_10.
 */
int names_add(void *arg, const char *name);
void names_sort(struct names *names);
void names_free(struct names *names);

/* One expansion: its input and output. */
struct expansion {
	struct sys *sys;
	struct event_list *out;
	const struct event_expand_hooks *say;
	unsigned int nr_tracepoints;	/* that globs were expanded to */
};

/** expand_fn - Expand a spec of one kind: append one or more to x->out. */
typedef int expand_fn(struct expansion *x, const struct event_spec *spec, struct error *err);

expand_fn expand_tracepoint;	/* a glob: each tracepoint that it matches */
expand_fn expand_alias;		/* each PMU that lists it */
expand_fn expand_pmu;		/* each PMU that the name, its beginning or the glob matches */
expand_fn expand_core;		/* the PMU of each kind of cores */

/** expand_note() - Report to the user; printf. */
void expand_note(const struct expansion *x, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* --- catalog_pmu.c --- */

struct walker {
	struct sys *sys;
	const struct event_visitor *visitor;
};

/** walk_pmus() - Visit the PMUs and their events, as event_catalog() does. */
int walk_pmus(const struct walker *w, struct error *err);

#endif
