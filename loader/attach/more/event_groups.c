// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Event groups: the PMU counts all events of a group at the same time, or none of them. The first
 * event leads; the others are opened with the leader's descriptor as group_fd.
 */
#include <errno.h>
#include <string.h>

#include "loader/attach/attach_internal.h"

static bool same_target(const struct event_target *a, const struct event_target *b)
{
	return a->tid == b->tid && a->cpu == b->cpu && a->cgroup == b->cgroup;
}

/* The leader is open on the same targets in the same order, so start after the last match. */
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

int attach_group_fd(struct attach_event *e, const struct event_target *target,
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
	/* A sampling event of a task ends with its task. */
	if (target->tid >= 0 && !set->list[e->leader->first].stays)
		return -ESRCH;
	error_set(err, EINVAL, "the first event of its group is not open there");
	error_reason(err, "attach/no-leader");
	error_hint(err, "a tracing event is opened once, and one of a PMU on the CPUs of its "
			"cpumask: begin the group with another event, or leave the {} out");
	event_target_context(err, target);
	return error_where(err, "event '%s'", e->req.spec->text);
}

bool attach_leave_group(struct attach_event *e, const struct attach_set *set, int code,
			struct error *err)
{
	if (!e->leader || code != -EINVAL || !err || !err->reason ||
	    strcmp(err->reason, "perf-open/group") ||
	    !(e->req.spec->modifiers.flags & EVENT_WEAK))
		return false;
	attach_note(set, "event '%.128s': its group does not fit the PMU: it is opened by itself",
		    e->req.spec->text);
	error_clear(err);
	e->leader = NULL;
	e->attr.disabled = 1;
	return true;
}
