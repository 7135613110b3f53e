/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* List the tasks of a scope again. */
#ifndef PLOAD_EVENTS_SCOPE_REFRESH_H
#define PLOAD_EVENTS_SCOPE_REFRESH_H

#include "loader/core/event/steps.h"

/**
 * event_scope_refresh() - List the tasks again, after events were opened. Only threads and children
 * that start after an event was opened inherit it; those that started between listing and opening
 * have none.
 *
 * Return: 0 if every task has an event or inherits one; 1 if the tasks of @scope have changed, so
 * that the events must be reopened; or -errno.
 */
int event_scope_refresh(struct sys *sys, struct event_scope *scope, struct error *err);

/** id_list_has_all() - Return true if @list contains every id of @other; both are sorted. */
bool id_list_has_all(const struct id_list *list, const struct id_list *other);

#endif
