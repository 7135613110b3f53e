/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Events to try on a machine that nothing is known of. */
#ifndef PLOAD_TOOLS_CAPABILITIES_EVENTS_TO_TRY_H
#define PLOAD_TOOLS_CAPABILITIES_EVENTS_TO_TRY_H

#include "loader/event/event.h"
#include "loader/features/kernel_types/kernel_types.h"

/*
 * capability_visit_events() - call @call with each event there is to try: what perf has a name for, one each of
 * tracepoints, breakpoints and probes that this program can make happen, and one of each other PMU.
 * @group says which of these: "hardware", "software", "cache", "tracepoint", "breakpoint", "probe",
 * "pmu"; static. @period is for an event that is counted one by one or fast, else 0 (the default).
 * Ends with what @call returns when that is not 0, or fails with ENOMEM and the like.
 */
int capability_visit_events(struct sys *sys, struct kernel_types *types,
		 int (*call)(void *arg, const char *group, const struct event_spec *spec,
			     uint64_t period),
		 void *arg, struct error *err);

#endif
