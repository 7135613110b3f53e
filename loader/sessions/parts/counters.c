// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counting events in a map, for programs that call bpf_perf_event_read() or
 * bpf_perf_event_read_value().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/counters.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/fd_limit.h"

/* How much to raise the limit on open files at a time. */
#define MORE_FDS 1024

/* One event in one map, on every CPU where it is allowed. */
struct counter_group {
	struct event_spec spec;
	struct perf_event_attr attr;
	struct cpu_list allowed;	/* owned; empty: any */
	int map_fd;		/* borrowed */
	uint32_t max_entries;
};

static bool is_allowed(const struct counter_group *group, int cpu)
{
	return !group->allowed.nr || cpu_list_has(&group->allowed, cpu);
}

static void group_free(struct counter_group *group)
{
	cpu_list_free(&group->allowed);
	event_spec_free(&group->spec);
	free(group);
}

/*
 * Open the counter and store it in the map; it may replace the one from before the CPU went
 * offline.
 */
static int open_one(struct sys *sys, const struct counters *counters, struct counter *counter,
		    struct error *err)
{
	struct counter_group *group = counter->group;
	const struct event_target target = { .tid = -1, .cpu = counter->cpu };
	const uint32_t key = counter->cpu;
	int ret;

	counter->count = 0;
	do
		counter->fd = event_open(sys, &group->spec, &group->attr, &target, -1, err);
	while (counter->fd == -EMFILE && counters->room &&
	       fd_limit_raise(sys, counters->room, MORE_FDS));
	if (counter->fd >= 0 && err)
		error_clear(err);
	if (counter->fd < 0)
		return counter->fd;
	ret = map_update(sys, group->map_fd, &key, &counter->fd, BPF_ANY);
	if (ret >= 0)
		return 0;
	error_set(err, -ret, "the map does not accept event '%s' of CPU %u: %s", group->spec.text,
		  key,
		  error_strerror(-ret));
	error_reason(err, "output/counter");
	if (ret == -EINVAL || ret == -EOPNOTSUPP)
		error_hint(err, "it accepts events that a CPU can read itself: software and "
				"hardware events");
	return map_update_call(err, group->map_fd, &key, &counter->fd, -ret);
}

static int add_one(struct sys *sys, struct counters *counters, struct counter_group *group, int cpu,
		   struct error *err)
{
	struct counter *list;

	if ((uint32_t)cpu >= group->max_entries) {
		error_set(err, E2BIG, "has %u entries, too few for the counter of CPU %d",
			  group->max_entries, cpu);
		error_reason(err, "output/counter");
		return error_hint(err, "leave out max_entries, which then becomes the number of "
				       "possible CPUs");
	}
	list = array_grow(counters->list, counters->nr, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for %u counters", counters->nr + 1);
	counters->list = list;
	list[counters->nr] = (struct counter){ .group = group, .cpu = cpu, .fd = -1 };
	return open_one(sys, counters, &list[counters->nr++], err);
}

static int describe(struct sys *sys, struct counter_group *group, struct error *err)
{
	int ret;

	group->attr.size = sizeof(group->attr);
	/* bpf_perf_event_read_value() returns how long the counter was on the PMU. */
	group->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	ret = event_by_type(sys, &group->spec, &group->attr, &group->allowed, err);
	/* A per-package event is opened on every CPU, so that programs can read it anywhere. */
	if (!event_is_core_pmu(&group->spec))
		cpu_list_free(&group->allowed);
	return ret;
}

int counters_add(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		 int map_fd, uint32_t max_entries, const struct cpu_list *cpus, struct error *err)
{
	struct counter_group **groups =
		array_grow(counters->groups, counters->nr_groups, sizeof(*groups));
	struct counter_group *group = groups ? calloc(1, sizeof(*group)) : NULL;
	int ret;

	if (groups)
		counters->groups = groups;
	if (!group)
		return error_set(err, ENOMEM, "no memory for %u counters", cpus->nr);
	groups[counters->nr_groups++] = group;
	group->map_fd = map_fd;
	group->max_entries = max_entries;
	ret = event_spec_copy(&group->spec, spec, err);
	if (!ret)
		ret = describe(sys, group, err);
	for (unsigned int i = 0; ret == 0 && i < cpus->nr; i++)
		if (is_allowed(group, cpus->cpus[i]))
			ret = add_one(sys, counters, group, cpus->cpus[i], err);
	return ret;
}

const struct event_spec *counter_event(const struct counter *counter, int *map_fd)
{
	*map_fd = counter->group->map_fd;
	return &counter->group->spec;
}

static struct counter *find(const struct counters *counters, const struct counter_group *group,
			    int cpu)
{
	for (unsigned int i = 0; i < counters->nr; i++)
		if (counters->list[i].group == group && counters->list[i].cpu == cpu)
			return &counters->list[i];
	return NULL;
}

unsigned int counters_cpu_gone(struct sys *sys, struct counters *counters, int cpu)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < counters->nr; i++) {
		struct counter *counter = &counters->list[i];

		if (counter->cpu != cpu || counter->fd < 0)
			continue;
		sys_close_fd(sys, &counter->fd);
		nr++;
	}
	return nr;
}

int counters_cpu_online(struct sys *sys, struct counters *counters, int cpu, struct error *err)
{
	int ret = 0, nr = 0;

	for (unsigned int i = 0; !ret && i < counters->nr_groups; i++) {
		struct counter_group *group = counters->groups[i];
		struct counter *had = find(counters, group, cpu);

		if (!is_allowed(group, cpu))
			continue;
		if (had)
			sys_close_fd(sys, &had->fd);
		ret = had ? open_one(sys, counters, had, err) :
			    add_one(sys, counters, group, cpu, err);
		nr += !ret;
	}
	return ret ? ret : nr;
}

static bool is_used(const struct counters *counters, const struct counter_group *group)
{
	for (unsigned int i = 0; i < counters->nr; i++)
		if (counters->list[i].group == group)
			return true;
	return false;
}

void counters_undo(struct sys *sys, struct counters *counters, unsigned int from)
{
	unsigned int nr = 0;

	while (counters->nr > from)
		sys_close_fd(sys, &counters->list[--counters->nr].fd);
	for (unsigned int i = 0; i < counters->nr_groups; i++) {
		if (is_used(counters, counters->groups[i]))
			counters->groups[nr++] = counters->groups[i];
		else
			group_free(counters->groups[i]);
	}
	counters->nr_groups = nr;
}

void counters_close(struct sys *sys, struct counters *counters)
{
	counters_undo(sys, counters, 0);
	free(counters->list);
	free(counters->groups);
	*counters = (struct counters){ .room = counters->room };
}
