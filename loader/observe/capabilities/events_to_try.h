/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A list of events to try on any machine. */
#ifndef PLOAD_OBSERVE_CAPABILITIES_EVENTS_TO_TRY_H
#define PLOAD_OBSERVE_CAPABILITIES_EVENTS_TO_TRY_H

#include "loader/core/event/event.h"
#include "loader/objects/kernel_types/kernel_types.h"

/**
 * capability_visit_events() - Call @visit with each event that is worth a try.
 * @visit: gets a group ("hardware", "software", "cache", "tracepoint", "breakpoint", "probe" or
 *	"pmu", static), the event, and the sample period to use, or 0 for the default one. A nonzero
 *	result ends the visit.
 *
 * These are the events that perf has names for; tracepoints, breakpoints and probes that this
 * program can make happen; and one event of each other PMU.
 * Return: 0, the result of @visit, or -errno.
 */
int capability_visit_events(struct sys *sys, struct kernel_types *types,
			    int (*visit)(void *arg, const char *group,
					 const struct event_spec *spec, uint64_t period),
			    void *arg, struct error *err);

#endif
