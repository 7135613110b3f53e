// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Threads that start while events are being opened for the others. */
#include <errno.h>

#include "loader/events/scope/refresh.h"
#include "loader/events/attach/events.h"
#include "loader/core/event/scope.h"

/* Give up after this many rounds: threads are started faster than events are opened. */
#define ROUNDS_MAX 4

/*
 * A thread inherits its parent's events when it starts. A thread that started after the threads
 * were listed but before its parent's event was open has none. So list the threads again and, if
 * there are new ones, reopen all events. In the end every thread has every event exactly once,
 * either its own or an inherited one. Tracing events do not need this.
 */
static int threads_started(struct sys *sys, const struct attach_events *all, unsigned int round,
			   struct attach_set *set, struct error *err)
{
	struct attach_event *e = all->list, *end = e + all->nr;
	struct attach_progress progress;
	int ret;

	while (e < end && event_is_tracing(e->req.spec))
		e++;
	if (e == end)
		return 0;
	progress = (struct attach_progress){ .event = e, .done = e->nr, .all = e->nr };
	do	/* listing them takes a descriptor */
		ret = event_scope_refresh(sys, e->req.scope, err);
	while (attach_again(sys, progress, ret, set, err));
	if (ret <= 0 || round < ROUNDS_MAX)
		return ret;
	attach_note(set, "event '%.128s': threads start faster than the event can be opened for "
			 "them: some may be missed", e->req.spec->text);
	return 0;
}

const struct attach_feature attach_new_threads = { .opened = threads_started };
