/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How a session attaches a program to something other than an event. */
#ifndef PLOAD_OBJECTS_TARGETS_TARGETS_H
#define PLOAD_OBJECTS_TARGETS_TARGETS_H

#include "loader/core/session/session.h"

extern const struct plan_feature plan_targets, plan_test_run;

/** explain_plan() - FAILED_PLAN. (no_event.c) */
void explain_plan(struct sys *sys, const void *prog, struct error *err);

/** session_attach_target() - Attach the program of entry @i, which has a link target. */
int session_attach_target(struct session *s, uint32_t i, struct error *err);

/** session_attach_multi() - Attach the program of entry @i to many functions with one link. */
int session_attach_multi(struct session *s, uint32_t i, struct error *err);

/**
 * session_target_map() - Return the descriptor (borrowed) of the map that @entry attaches to or
 * iterates over. The first call opens it if it is not in the object.
 */
int session_target_map(struct session *s, const struct plan_entry *entry, struct error *err);

#endif
