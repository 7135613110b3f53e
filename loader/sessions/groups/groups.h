/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Alternatives "a,or=b" and groups "{a,b}" of events in a plan: a row of `features`. */
#ifndef PLOAD_SESSIONS_GROUPS_GROUPS_H
#define PLOAD_SESSIONS_GROUPS_GROUPS_H

#include "loader/core/session/session.h"

extern const struct plan_feature plan_groups;

/**
 * attach_alternatives() - Attach the plan entries from @first on that form an event, an event group
 * or alternatives. Of alternatives, attach the first one that works. A session_attach_fn; entries
 * that join a group are late.
 *
 * Marks the other alternatives as dropped, and reports a fallback.
 * session_event_hooks() - Return hooks through which event_list_expand() reports the same.
 * session_print_instead() - Print the message "instead" as text.
 */
session_attach_fn attach_alternatives;
struct event_expand_hooks session_event_hooks(struct session *s);
void session_print_instead(FILE *file, struct json_object *msg);

/**
 * session_requests() - Allocate requests for @nr @entries, which form one event group or are in
 * none, and print the notes about them. @reqs: owned by the caller.
 */
int session_requests(struct session *s, const uint32_t *entries, uint32_t nr,
		     struct attach_request **reqs, struct error *err);

/**
 * plan_same_group() - Return true if both entries belong to the same event group "{a,b}" of the
 * same program.
 * plan_joins_group() - Return true if the group leader runs another type of program, so that this
 * entry must be attached after all others.
 * plan_alternatives_end() - Return the end of the entries attached together with @first.
 */
bool plan_same_group(const struct plan_entry *a, const struct plan_entry *b);
bool plan_joins_group(const struct plan_entry *entry);
uint32_t plan_alternatives_end(const struct plan *plan, uint32_t first);

#endif
