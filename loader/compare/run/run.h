/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run a comparison: choose events, measure each part of them, and print the document. */
#ifndef PLOAD_COMPARE_RUN_RUN_H
#define PLOAD_COMPARE_RUN_RUN_H

#include "loader/compare/measure/compare.h"
#include "loader/core/print/message.h"
#include "loader/core/session/load.h"
#include "loader/core/session/options.h"

/* A part of an event's document. The list ends with a row without a name. */
struct compare_part {
	const char *name;	/* for --only */
	int (*measure)(const struct compare_subject *s, struct json_object *event,
		       struct error *err);
};

extern const struct compare_part compare_parts[];

/* The formats text and html; every command has json. */
extern const struct output_format compare_formats[];

/**
 * compare_run() - Measure the events of @o, or read the document of --from, or profile a command;
 *	print the result.
 *
 * Return: 0; 1 if nothing could be attached; -errno.
 */
int compare_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

/* --- choose_events.c --- */

/* A zeroed plan is empty. */
struct compare_plan {
	struct output *out;		/* borrowed; notes go there */
	struct event_list events;	/* with probes resolved */
	uint32_t *progs;		/* owned; for each event an index into the object's
					 * programs; NULL: use the built-in programs */
	struct json_object *left_out;	/* owned; events of --all that do not open, with errors */
};

/**
 * compare_choose_events() - Fill @plan from --all, -e and the programs of the object.
 * @l: the object, of which only the wanted programs are used; NULL: there is no object.
 *
 * A word such as "uprobe" or "breakpoint" selects an event of that kind that this process can
 * trigger. A program whose type fits none of the -e events is still compared on all of them.
 * Return: 0 or -errno, like event_parse(), event_list_expand() and symbols_resolve().
 */
int compare_choose_events(struct sys *sys, struct output *out, const struct options *o,
		      struct loading *l, struct kernel_types *types, struct compare_plan *plan,
		      struct error *err);
void compare_plan_free(struct compare_plan *plan);

/* compare_plan_leave_out() - Add @spec and its error @why to left_out. Return 0 or -ENOMEM. */
int compare_plan_leave_out(struct compare_plan *plan, const struct event_spec *spec,
			   const struct error *why, struct error *err);

/* compare_period() - Return a period that gives some samples each millisecond; 0: keep its own. */
uint64_t compare_period(const struct event_spec *spec);

#endif
