/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table "open x bind": which of its cells a method is for an event, and which make one call. */
#ifndef PLOAD_EVENTS_ATTACH_CELLS_H
#define PLOAD_EVENTS_ATTACH_CELLS_H

#include "loader/core/attach/attach.h"

/**
 * attach_open_of() - Return how @method opens @spec: OPEN_TYPE, OPEN_PMU or OPEN_TRACEFS.
 * attach_open_name() - Return "type", "pmu" or "tracefs" (static).
 */
enum attach_open attach_open_of(const struct attach_method *method, const struct event_spec *spec);
const char *attach_open_name(enum attach_open open);

/**
 * attach_opens_alike() - Return true if perf_event_open(2) gets the same attributes and CPUs for
 * @spec by its type and by its PMU. Describes the event both ways, and opens nothing.
 * @type: set to the type of its PMU.
 */
bool attach_opens_alike(struct sys *sys, const struct event_spec *spec, uint32_t *type);

#endif
