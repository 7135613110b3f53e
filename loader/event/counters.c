// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counting events in a map, for programs that read them: bpf_perf_event_read and
 * bpf_perf_event_read_value.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/event/counters.h"
#include "loader/kernel/kernel.h"

static int add_one(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		   struct perf_event_attr *attr, int map_fd, uint32_t cpu, struct error *err)
{
	const struct event_target target = { .tid = -1, .cpu = cpu };
	int fd = event_open(sys, spec, attr, &target, -1, err), ret;

	if (fd < 0)
		return fd;
	counters->fds[counters->nr++] = fd;
	ret = map_update(sys, map_fd, &cpu, &fd, BPF_ANY);
	if (ret >= 0)
		return 0;
	error_set(err, -ret, "the map does not take event '%s' of CPU %u: %s", spec->text, cpu,
		  error_strerror(-ret));
	error_reason(err, "output/counter");
	error_hint(err, "it takes events that a CPU can read by itself: software and hardware ones");
	return map_update_call(err, map_fd, &cpu, &fd, -ret);
}

static int add_all(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		   struct perf_event_attr *attr, int map_fd, uint32_t max_entries,
		   const struct cpu_list *cpus, const struct cpu_list *allowed, struct error *err)
{
	for (unsigned int i = 0; i < cpus->nr; i++) {
		const int cpu = cpus->cpus[i];
		int ret;

		if (allowed->nr && !cpu_list_has(allowed, cpu))
			continue;
		if ((uint32_t)cpu >= max_entries) {
			error_set(err, E2BIG,
				  "has %u entries and no place for the counter of CPU %d",
				  max_entries, cpu);
			error_reason(err, "output/counter");
			return error_hint(err, "leave max_entries out: it then becomes the number "
					       "of possible CPUs");
		}
		ret = add_one(sys, counters, spec, attr, map_fd, cpu, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int counters_add(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		 int map_fd, uint32_t max_entries, const struct cpu_list *cpus, struct error *err)
{
	struct cpu_list allowed = { 0 };
	struct perf_event_attr attr;
	int *fds, ret;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	/*
	 * For bpf_perf_event_read_value(), which tells a program how long the counter was really on
	 * the PMU.
	 */
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	ret = event_by_type(sys, spec, &attr, &allowed, err);
	if (ret == 0) {
		fds = realloc(counters->fds, (counters->nr + cpus->nr) * sizeof(*fds));
		if (fds)
			counters->fds = fds;
		else
			ret = error_set(err, ENOMEM, "no memory for %u counters", cpus->nr);
	}
	/* What counts for a whole package is opened for each CPU, whose program reads it. */
	if (!event_is_of_core(spec))
		cpu_list_free(&allowed);
	if (ret == 0)
		ret = add_all(sys, counters, spec, &attr, map_fd, max_entries, cpus, &allowed, err);
	cpu_list_free(&allowed);
	return ret;
}

void counters_undo(struct sys *sys, struct counters *counters, unsigned int from)
{
	while (counters->nr > from)
		sys_close_fd(sys, &counters->fds[--counters->nr]);
}

void counters_close(struct sys *sys, struct counters *counters)
{
	counters_undo(sys, counters, 0);
	free(counters->fds);
	counters->fds = NULL;
}
