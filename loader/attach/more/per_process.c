// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Uprobes in some processes and not in all: an event is in the memory of one, so each process gets
 * one of its own, whatever thread calls.
 */
#include <errno.h>

#include "loader/attach/attach.h"

bool attach_by_process(const struct attach_request *req)
{
	return event_is_probe(req->spec) && req->spec->kind != EVENT_KPROBE &&
	       req->scope->nr_tids > 1;
}

/* A process that has ended meanwhile is none to be probed, as long as there are others. */
static int attach_each(struct sys *sys, const struct attach_request *req,
		       const struct event_processes *processes, struct attach_set *set,
		       struct error *err)
{
	const unsigned int before = set->nr;

	for (unsigned int i = 0; i < processes->nr; i++) {
		struct event_scope scope = *req->scope;
		struct attach_request one = *req;
		int ret;

		one.scope = &scope;
		scope.tids = processes->list[i].tids;
		scope.nr_tids = processes->list[i].nr_tids;
		ret = attach_together(sys, &one, 1, set, err);
		if (ret == -ESRCH && (i + 1 < processes->nr || set->nr > before)) {
			if (err)
				error_clear(err);
			continue;
		}
		if (ret < 0)
			return ret;
	}
	return 0;
}

int attach_processes(struct sys *sys, const struct attach_request *req, struct attach_set *set,
		     struct error *err)
{
	const unsigned int before = set->nr;
	struct event_processes processes;
	int ret = event_processes_list(sys, req->scope, &processes, err);

	if (ret < 0) {
		error_where(err, "event '%s'", req->spec->text);
		return ret;
	}
	ret = attach_each(sys, req, &processes, set, err);
	if (ret < 0)
		attach_undo(sys, set, before);
	event_processes_free(&processes);
	return ret;
}
