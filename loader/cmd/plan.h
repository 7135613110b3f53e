/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which program goes on which event: decided from the object and the command line before the kernel
 * is asked for anything.
 */
#ifndef PLOAD_CMD_PLAN_H
#define PLOAD_CMD_PLAN_H

#include "loader/cmd/loading.h"

struct plan_entry {
	uint32_t prog;		/* index into the object's programs */
	struct event_spec spec;
};

struct plan {
	struct plan_entry *list;	/* owned; empty for --test-run */
	uint32_t nr;
};

/* Something the user should know before it happens. */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* default_event() - the event where none is named, and why that one; a dry run asks nobody. */
int default_event(struct sys *sys, const struct options *o, struct event_spec *spec,
		  const char **why, struct error *err);

/*
 * plan_make() - for each program that @l wants: the events of -e that carry its type, else the one its
 * section names, else the default. Fails when a program fits no event, or an event
 * no program; the place is "prog 'x'" or "-e x".
 */
int plan_make(struct sys *sys, const struct options *o, const struct loading *l,
	      struct plan *plan, struct error *err);
void plan_free(struct plan *plan);

#endif
