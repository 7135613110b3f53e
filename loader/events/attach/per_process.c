// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Uprobes for a set of processes: a request becomes one event per process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/events/attach/events.h"
#include "loader/core/event/scope.h"

/*
 * A uprobe event probes the memory of a process, no matter which of its threads calls the function.
 * A uprobe event that only counts, counts calls by its own thread.
 */
static bool is_per_process(const struct attach_request *req)
{
	return event_is_probe(req->spec) && req->spec->kind != EVENT_KPROBE &&
	       !req->spec->counts && req->scope->nr_tids > 1;
}

int attach_add_processes(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err)
{
	struct event_processes processes;
	int ret;

	if (!is_per_process(req))
		return 0;
	ret = event_processes_list(sys, req->scope, &processes, err);
	if (ret < 0)
		return error_where(err, "event '%s'", req->spec->text);
	for (unsigned int i = 0; ret >= 0 && i < processes.nr; i++) {
		const struct event_process *p = &processes.list[i];
		const size_t size = p->nr_tids * sizeof(*p->tids);
		pid_t *tids = malloc(size);
		struct attach_event *e = tids ? attach_add_event(all, req, index, err) : NULL;

		if (!e) {
			free(tids);
			ret = error_set(err, ENOMEM, "no memory for %u processes", processes.nr);
			break;
		}
		e->scope = *req->scope;
		e->scope.tids = memcpy(tids, p->tids, size);
		e->scope.nr_tids = p->nr_tids;
	}
	event_processes_free(&processes);
	return ret < 0 ? ret : 1;
}
