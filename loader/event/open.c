// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open an event with perf_event_open(2); refused/open_failed.c finds the cause of a failure. */
#include <errno.h>

#include "loader/event/event_internal.h"

/*
 * Modifier P asks for the largest precise_ip that the PMU supports, which only opening shows: try
 * 3, 2, 1, 0. @attr keeps the value for the following CPUs.
 */
static bool is_less_precise(const struct event_spec *spec, struct perf_event_attr *attr, int code)
{
	if (spec->modifiers.precise != EVENT_PRECISE_MAX || !attr->precise_ip ||
	    (code != -EINVAL && code != -EOPNOTSUPP && code != -KERNEL_ENOTSUPP))
		return false;
	attr->precise_ip--;
	return true;
}

int event_open(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
	       const struct event_target *target, int group_fd, struct error *err)
{
	const struct event_call call = {
		.spec = spec, .attr = attr, .group_fd = group_fd, .cpu = target->cpu,
		.tid = target->cgroup ? target->cgroup->fd : target->tid,
		.flags = PERF_FLAG_FD_CLOEXEC | (target->cgroup ? PERF_FLAG_PID_CGROUP : 0),
		.cgroup = target->cgroup,
	};
	int fd;

	do
		fd = sys_perf_event_open(sys, attr, call.tid, call.cpu, group_fd, call.flags);
	while (fd < 0 && is_less_precise(spec, attr, fd));
	if (fd >= 0)
		return fd;
	error_set(err, -fd, "perf_event_open: %s", error_strerror(-fd));
	error_reason(err, "perf-open/refused");
	explain_failure(sys, FAILED_EVENT, &(struct refused_event){ &call, -fd }, err);
	event_target_context(err, target);
	error_where(err, "event '%s'", spec->text);
	return fd;
}
