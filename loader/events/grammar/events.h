/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The events that perf has beside plain ones: rows of `features`. */
#ifndef PLOAD_EVENTS_GRAMMAR_EVENTS_H
#define PLOAD_EVENTS_GRAMMAR_EVENTS_H

#include "loader/core/event/steps.h"

extern const struct event_feature event_grammar, event_default_cycles, event_scopes;

/*
 * explain_event_name() - FAILED_EVENT_NAME: no event is called @name. Sets "event/unknown", with
 * similar names of the tables and of all PMUs.
 */
void explain_event_name(struct sys *sys, const void *name, struct error *err);

#endif
