/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files about the scope of an event share. */
#ifndef PLOAD_EVENT_SCOPE_SCOPE_INTERNAL_H
#define PLOAD_EVENT_SCOPE_SCOPE_INTERNAL_H

#include "loader/event/event_internal.h"

/* Numbers of tasks. Zeroed is empty. */
struct id_list {
	pid_t *ids;		/* owned */
	unsigned int nr;
};

/* id_list_add() - at the end. -ENOMEM, or -E2BIG where a kernel cannot have as many tasks. */
int id_list_add(struct id_list *list, pid_t id);

/* id_list_sort() - ascending, and each once. */
void id_list_sort(struct id_list *list);

/* id_list_has_all() - whether @list (sorted) has each of @other (sorted). */
bool id_list_has_all(const struct id_list *list, const struct id_list *other);

/*
 * scope_list_tasks() - the tasks that @asked means as there are now, sorted, into @tids (freed by
 * the caller, also on failure). @again: a process that has ended is no mistake.
 */
int scope_list_tasks(struct sys *sys, const struct event_scope_options *asked, bool again,
		     struct id_list *tids, struct error *err);

/* scope_user_processes() - the processes which @user (a number or a name) has now. */
int scope_user_processes(struct sys *sys, const char *user, struct id_list *pids,
			 struct error *err);

/* scope_open_cgroups() - open each of "a,b" into @scope. What is open is closed with the scope. */
int scope_open_cgroups(struct sys *sys, struct event_scope *scope, const char *names,
		       struct error *err);

/*
 * scope_has_no_controller() - whether no event at all opens for the cgroup of @target, where one was
 * refused with ENOENT: its hierarchy is without the perf_event controller. Then @err says so.
 */
bool scope_has_no_controller(struct sys *sys, const struct event_target *target, struct error *err);

#endif
