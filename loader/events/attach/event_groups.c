// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Event groups: the PMU counts either all events of a group at the same time or none. The first
 * event leads; the others are opened with its descriptor as group_fd.
 */
#include <errno.h>
#include <string.h>

#include "loader/events/attach/events.h"

/*
 * If the group leader is already attached, find its latest attachments, which are those of the CPU
 * that just came online.
 */
static void find_joined(const struct attach_request *req, const struct attach_set *set,
			struct attach_event *joined)
{
	unsigned int end = set->nr;

	if (!req->joins)
		return;
	joined->req = *req;	/* for its modifiers, which the whole group shares */
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
static void set_leaders(const struct attach_request *reqs, const struct attach_set *set,
			struct attach_events *all)
{
	struct attach_event *leader;

	find_joined(reqs, set, &all->joined);
	leader = all->joined.nr ? &all->joined : NULL;
	for (unsigned int i = 0; i < all->nr; i++) {
		struct attach_event *e = &all->list[i];
		const bool alone = e->scope.tids;

		if (alone)
			e->req.scope = &e->scope;
		if (!e->req.member && !e->req.joins)
			leader = NULL;
		if (!alone)
			e->leader = leader;
		if (alone)
			leader = NULL;
		else if (!leader)
			leader = e;
	}
}

static bool same_target(const struct event_target *a, const struct event_target *b)
{
	return a->tid == b->tid && a->cpu == b->cpu && a->cgroup == b->cgroup;
}

/* The leader is open on the same targets in the same order, so continue after the last match. */
static struct attachment *find_leader(struct attach_event *e, const struct event_target *target,
				      struct attach_set *set)
{
	const struct attach_event *leader = e->leader;

	for (unsigned int i = 0; i < leader->nr; i++) {
		const unsigned int at = (e->next + i) % leader->nr;

		if (!same_target(&set->list[leader->first + at].target, target))
			continue;
		e->next = at + 1;
		return &set->list[leader->first + at];
	}
	return NULL;
}

static int find_group(struct attach_event *e, const struct event_target *target,
		    struct attach_set *set, int *group_fd, struct error *err)
{
	struct attachment *leader;

	*group_fd = -1;
	if (!e->leader || !e->leader->nr)
		return 0;
	leader = find_leader(e, target, set);
	if (leader) {
		leader->leads = true;
		*group_fd = leader->event_fd;
		return 0;
	}
	/* A task's sampling event ends with the task. */
	if (target->tid >= 0 && !set->list[e->leader->first].stays)
		return -ESRCH;
	error_set(err, EINVAL, "the first event of the group is not open there");
	error_reason(err, "attach/no-leader");
	error_hint(err, "tracing events are opened only once, uncore events only on the CPUs of "
			"their cpumask: put another event first, or leave out the {}");
	event_target_context(err, target);
	return error_where(err, "event '%s'", e->req.spec->text);
}

/* A weak event (:W) leaves the group if that does not fit on the PMU. */
static bool leave_group(struct sys *sys, struct attach_progress progress, int code,
			struct attach_set *set, struct error *err)
{
	struct attach_event *e = progress.event;

	(void)sys;
	if (!e->leader || code != -EINVAL || progress.links || !err || !err->reason ||
	    strcmp(err->reason, "perf-open/group") ||
	    !(e->req.spec->modifiers.flags & EVENT_WEAK))
		return false;
	attach_note(set, "event '%.128s': its group does not fit on the PMU: it is opened by "
			 "itself",
		    e->req.spec->text);
	error_clear(err);
	e->leader = NULL;
	e->attr.disabled = 1;
	return true;
}

const struct attach_feature attach_groups = {
	.listed = set_leaders, .find_group = find_group, .again = leave_group,
};
