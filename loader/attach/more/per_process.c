// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Uprobes of some processes: the events to open for the requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attach/attach_internal.h"
#include "loader/event/scope.h"

/* A uprobe event probes the memory of one process, whatever thread of it calls the function. */
static bool is_per_process(const struct attach_request *req)
{
	return event_is_probe(req->spec) && req->spec->kind != EVENT_KPROBE &&
	       req->scope->nr_tids > 1;
}

static struct attach_event *add_event(struct attach_events *all, const struct attach_request *req,
				      unsigned int index, struct error *err)
{
	struct attach_event *list = reallocarray(all->list, all->nr + 1, sizeof(*list));

	if (!list) {
		error_set(err, ENOMEM, "no memory for %u events", all->nr + 1);
		return NULL;
	}
	all->list = list;
	list[all->nr] = (struct attach_event){ .req = *req, .index = index };
	return &list[all->nr++];
}

static int add_processes(struct sys *sys, const struct attach_request *req, unsigned int index,
			 struct attach_events *all, struct error *err)
{
	struct event_processes processes;
	int ret = event_processes_list(sys, req->scope, &processes, err);

	if (ret < 0)
		return error_where(err, "event '%s'", req->spec->text);
	for (unsigned int i = 0; ret >= 0 && i < processes.nr; i++) {
		const struct event_process *p = &processes.list[i];
		const size_t size = p->nr_tids * sizeof(*p->tids);
		pid_t *tids = malloc(size);
		struct attach_event *e = tids ? add_event(all, req, index, err) : NULL;

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
	return ret < 0 ? ret : 0;
}

/*
 * If the leader of the group is attached already: its last attachments, which are those of a CPU
 * that has just come online.
 */
static void find_joined(const struct attach_request *req, const struct attach_set *set,
			struct attach_event *joined)
{
	unsigned int end = set->nr;

	if (!req->joins)
		return;
	joined->req = *req;	/* for its modifiers, which are the same in all of the group */
	while (end && set->list[end - 1].prog != req->leader)
		end--;
	for (joined->first = end;
	     joined->first && set->list[joined->first - 1].prog == req->leader;)
		joined->first--;
	joined->nr = end - joined->first;
}

/*
 * A per-process uprobe cannot join a group. It splits the list: the events before it form one
 * group, those after it another.
 */
static void set_leaders(struct attach_events *all)
{
	struct attach_event *leader = all->joined.nr ? &all->joined : NULL;

	for (unsigned int i = 0; i < all->nr; i++) {
		struct attach_event *e = &all->list[i];
		const bool alone = e->scope.tids;

		if (alone)
			e->req.scope = &e->scope;
		if (!e->req.follows && !e->req.joins)
			leader = NULL;
		if (!alone)
			e->leader = leader;
		if (alone)
			leader = NULL;
		else if (!leader)
			leader = e;
	}
}

int attach_list_events(struct sys *sys, const struct attach_request *reqs, unsigned int nr,
		       struct attach_events *all, struct attach_set *set, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < nr; i++) {
		set->failed = i;
		if (!is_per_process(&reqs[i])) {
			ret = add_event(all, &reqs[i], i, err) ? 0 : -ENOMEM;
			continue;
		}
		if (reqs[i].follows || (i + 1 < nr && reqs[i + 1].follows))
			attach_note(set, "event '%.128s': it is opened in each process, and in no "
					 "group", reqs[i].spec->text);
		ret = add_processes(sys, &reqs[i], i, all, err);
	}
	if (!ret) {
		find_joined(reqs, set, &all->joined);
		set_leaders(all);
	}
	return ret;
}

void attach_events_free(struct attach_events *all)
{
	for (unsigned int i = 0; i < all->nr; i++) {
		cpu_list_free(&all->list[i].cpus);
		free(all->list[i].scope.tids);
	}
	free(all->list);
}

/* A process that has ended is not missed as long as the event is open in another one. */
bool attach_process_ended(const struct attach_events *all, unsigned int i)
{
	const struct attach_event *list = all->list;
	bool others = i + 1 < all->nr && list[i + 1].index == list[i].index;

	for (unsigned int k = 0; k < i; k++)
		others |= list[k].index == list[i].index && list[k].nr;
	return others;
}
