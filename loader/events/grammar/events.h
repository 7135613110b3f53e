/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The events that perf has beside plain ones: rows of `features`. */
#ifndef PLOAD_EVENTS_GRAMMAR_EVENTS_H
#define PLOAD_EVENTS_GRAMMAR_EVENTS_H

#include "loader/core/event/steps.h"

extern const struct event_feature event_grammar, event_default_cycles, event_scopes;

/*
 * event_unknown() - Report that no event is called @name, with similar names of the tables and of
 * all PMUs: "event/unknown".
 */
void event_unknown(struct sys *sys, const char *name, struct error *err);

/** event_apply_modifiers() - Set the bits of @attr that @m selects. (describe.c) */
void event_apply_modifiers(const struct event_modifiers *m, struct perf_event_attr *attr);
/** event_describe_kinds() - See event_feature.describe. */
int event_describe_kinds(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			 struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err);

#endif
