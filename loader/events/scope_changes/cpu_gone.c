// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events whose CPU goes offline: close them, unless their PMU moved them. */
#include "loader/core/attach/steps.h"

/*
 * perf_event_exit_cpu() removes the events of the CPU for good. A task's event stays in the task's
 * context until the task runs on that CPU again.
 */
static bool is_of_cpu(const struct attachment *a, unsigned int prog, int cpu)
{
	return a->prog == prog && a->target.cpu == cpu && a->target.tid < 0 && a->event_fd >= 0;
}

static bool any_of_cpu(const struct attach_set *set, unsigned int prog, int cpu)
{
	for (unsigned int i = 0; i < set->nr; i++)
		if (is_of_cpu(&set->list[i], prog, cpu))
			return true;
	return false;
}

/*
 * The driver of a per-package or per-die PMU moves its events to another CPU there
 * (perf_pmu_migrate_context()) and updates its cpumask. If the mask still names the old CPU, or no
 * new one, the event is dead.
 */
static bool has_moved(struct attachment *a, const struct cpu_list *mask,
		      const struct attach_set *set)
{
	if (cpu_list_has(mask, a->target.cpu))
		return false;
	for (unsigned int i = 0; i < mask->nr; i++) {
		if (any_of_cpu(set, a->prog, mask->cpus[i]))
			continue;
		a->target.cpu = mask->cpus[i];
		return true;
	}
	return false;
}

/* Read the cpumask of the PMU. Return false if it has none; its events stay then. */
static bool read_mask(struct sys *sys, const struct attach_request *req, struct cpu_list *mask)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct error err = { 0 };
	int ret = req->method->describe(sys, req->spec, &attr, mask, &err);

	error_clear(&err);
	return ret == 0 && mask->nr;
}

static void close_one(struct sys *sys, struct attachment *a)
{
	sys_close_fd(sys, &a->link_fd);
	sys_close_fd(sys, &a->event_fd);
}

unsigned int attach_cpu_gone(struct sys *sys, const struct attach_request *req, int cpu,
			     struct attach_set *set)
{
	struct cpu_list mask = { 0 };
	unsigned int kept = 0, closed;

	if (event_is_tracing(req->spec) || !any_of_cpu(set, req->prog, cpu))
		return 0;
	for (unsigned int i = 0; i < set->nr; i++) {
		struct attachment *a = &set->list[i];
		bool gone = is_of_cpu(a, req->prog, cpu);

		if (gone && a->stays)
			gone = (mask.nr || read_mask(sys, req, &mask)) && !has_moved(a, &mask, set);
		if (gone)
			close_one(sys, a);
		else
			set->list[kept++] = *a;
	}
	cpu_list_free(&mask);
	closed = set->nr - kept;
	set->nr = kept;
	return closed;
}
