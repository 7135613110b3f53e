/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload compare: on which events, and with which programs. */
#ifndef PLOAD_CMD_COMPARE_CHOOSE_EVENTS_H
#define PLOAD_CMD_COMPARE_CHOOSE_EVENTS_H

#include "loader/session/load.h"

/* Zeroed is empty. */
struct compare_plan {
	struct output *out;		/* borrowed; notes go there */
	struct event_list events;	/* with probes resolved */
	uint32_t *progs;		/* owned; of each event which program of the object; NULL:
					 * the built-in ones */
	struct json_object *left_out;	/* owned; events of --all that do not open, and why */
};

/*
 * compare_choose_events() - what --all, -e and the programs that @l wants (NULL: there is no object)
 * come to. Words such as "uprobe" and "breakpoint" stand for an event of that kind that this
 * process can make happen. A program that no event of -e carries is compared on them all the same.
 * Fails where an event is wrong, as event_parse(), event_list_expand(), symbols_resolve().
 */
int compare_choose_events(struct sys *sys, struct output *out, const struct options *o,
		      struct loading *l, struct kernel_types *types, struct compare_plan *plan,
		      struct error *err);
void compare_plan_free(struct compare_plan *plan);

/* compare_plan_leave_out() - put @spec among what is left out, because of @why. 0 or -ENOMEM. */
int compare_plan_leave_out(struct compare_plan *plan, const struct event_spec *spec,
			   const struct error *why, struct error *err);

/* compare_period() - of what there may be some in a millisecond; 0: what the event itself has. */
uint64_t compare_period(const struct event_spec *spec);

#endif
