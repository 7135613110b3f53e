/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that look up the scope of an event. */
#ifndef PLOAD_EVENTS_SCOPE_SCOPE_INTERNAL_H
#define PLOAD_EVENTS_SCOPE_SCOPE_INTERNAL_H

#include "loader/core/event/steps.h"

/** scope_open_cgroups() - Open each cgroup of "a,b" into @scope. */
int scope_open_cgroups(struct sys *sys, struct event_scope *scope, const char *names,
		       struct error *err);

/** scope_user_processes() - List the current processes of @user (a number or a name). */
int scope_user_processes(struct sys *sys, const char *user, struct id_list *pids,
			 struct error *err);

#endif
