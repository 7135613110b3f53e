// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open an event with perf_event_open(2), and list the targets for which it is opened. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/event/steps.h"

/*
 * Modifier P asks for the largest precise_ip that the PMU supports. The only way to find out is to
 * try 3, 2, 1, 0. @attr keeps the value for the remaining CPUs.
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
	error_reason(err, "perf-open/failed");
	explain_failure(sys, FAILED_EVENT, &(struct refused_event){ &call, -fd }, err);
	event_target_context(err, target);
	error_where(err, "event '%s'", spec->text);
	return fd;
}

/* --- targets: each CPU of a scope with each thread or cgroup --- */

void event_target_context(struct error *err, const struct event_target *target)
{
	if (target->tid > 0)
		error_where(err, "task %d", target->tid);
	if (target->cgroup)
		error_where(err, "cgroup '%s'", target->cgroup->name);
	if (target->cpu >= 0)
		error_where(err, "CPU %d", target->cpu);
}

/* Keep the CPUs of @scope that the PMU allows. An empty list means any CPU, and stays empty. */
static int allowed_cpus(const struct event_scope *scope, const struct cpu_list *pmu_cpus, int *cpus,
			unsigned int *nr, struct error *err)
{
	char text[256];

	*nr = 0;
	for (unsigned int i = 0; i < scope->cpus.nr; i++)
		if (!pmu_cpus->nr || cpu_list_has(pmu_cpus, scope->cpus.cpus[i]))
			cpus[(*nr)++] = scope->cpus.cpus[i];
	if (*nr || !scope->cpus.nr)
		return 0;
	error_set(err, ENODEV, "its PMU does not count on any of the requested CPUs");
	error_reason(err, "scope/pmu-cpus");
	error_hint(err, "the PMU counts on CPU %s", cpu_list_text(pmu_cpus, text, sizeof(text)));
	return -ENODEV;
}

/* Count the threads or cgroups; "all tasks" counts as one. */
static size_t nr_tasks(const struct event_scope *scope)
{
	return scope->nr_tids ? scope->nr_tids : scope->nr_cgroups ? scope->nr_cgroups : 1;
}

/* Combine each CPU with each thread or cgroup; -1 means any. */
static int cross(const struct event_scope *scope, const int *cpus, unsigned int nr_cpus,
		 struct event_target *targets)
{
	int n = 0;

	for (size_t w = 0; w < nr_tasks(scope); w++)
		for (unsigned int c = 0; c < (nr_cpus ? nr_cpus : 1); c++, n++) {
			targets[n].tid = scope->nr_tids ? scope->tids[w] : -1;
			targets[n].cpu = nr_cpus ? cpus[c] : -1;
			targets[n].cgroup = scope->nr_cgroups ? &scope->cgroups[w] : NULL;
		}
	return n;
}

static int tracing_targets(const struct event_scope *scope, struct event_target *targets)
{
	/*
	 * One event is enough: its program runs for every task and CPU. But a thread may have
	 * ended, even the main thread of a live process, so try each until one opens.
	 */
	const int cpu = scope->cpus.nr ? scope->cpus.cpus[0] : -1;

	return cross(scope, &cpu, 1, targets);
}

int event_targets(const struct event_spec *spec, const struct event_scope *scope,
		  const struct cpu_list *pmu_cpus, struct event_target **targets, struct error *err)
{
	size_t nr_cpus = scope->cpus.nr ? scope->cpus.nr : 1, nr_tids = nr_tasks(scope);
	unsigned int nr = 0;
	int *cpus, ret;

	*targets = NULL;
	if (!scope->cpus.nr && !scope->nr_tids) {
		error_set(err, ENODEV, "there is no CPU or task to open it for");
		return error_reason(err, "scope/no-process");
	}
	cpus = calloc(nr_cpus, sizeof(*cpus));
	if (nr_cpus <= INT32_MAX / nr_tids)
		*targets = calloc(nr_cpus * nr_tids, sizeof(**targets));
	if (!cpus || !*targets)
		ret = error_set(err, ENOMEM, "no memory for %zu events", nr_cpus * nr_tids);
	else if (event_is_tracing(spec))
		ret = tracing_targets(scope, *targets);
	else
		ret = allowed_cpus(scope, pmu_cpus, cpus, &nr, err);
	if (ret == 0)
		ret = cross(scope, cpus, nr, *targets);
	free(cpus);
	if (ret > 0)
		return ret;
	free(*targets);
	*targets = NULL;
	error_where(err, "event '%s'", spec->text);
	return ret;
}
