/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counting events in a map, for programs that read them: bpf_perf_event_read and
 * bpf_perf_event_read_value.
 */
#ifndef PLOAD_SESSION_WITH_COUNTERS_H
#define PLOAD_SESSION_WITH_COUNTERS_H

#include "loader/event/event.h"
#include "loader/sys/fd_limit.h"

struct counter_group;

struct counter {
	struct counter_group *group;	/* of which event, in which map */
	int cpu;
	int fd;			/* owned; -1 while its CPU is offline */
};

struct counters {
	struct counter *list;	/* owned; one for each CPU, event and map */
	unsigned int nr;
	struct counter_group **groups;	/* owned, as what they point to */
	unsigned int nr_groups;
	struct fd_room *room;	/* borrowed; how the limit of open files is raised, or NULL: not */
};

/*
 * counters_add() - open @spec counting (no sampling, enabled, on every task) on each of @cpus and
 * put it into the PERF_EVENT_ARRAY @map_fd under the CPU's number. CPUs beyond @max_entries cannot
 * be read by any program and are an error. A helper on another CPU than the event's gets EINVAL
 * from the kernel, so every CPU has its own; an event of one kind of cores is on theirs only. The
 * map keeps the event only while our fd is open.
 */
int counters_add(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		 int map_fd, uint32_t max_entries, const struct cpu_list *cpus, struct error *err);

/*
 * counters_cpu_gone() - close those of @cpu, which is offline. Returns how many there were.
 * counters_cpu_online() - open those of @cpu anew, which has come back or was not there before.
 * Returns how many were opened, or an error.
 */
unsigned int counters_cpu_gone(struct sys *sys, struct counters *counters, int cpu);
int counters_cpu_online(struct sys *sys, struct counters *counters, int cpu, struct error *err);

/* counters_undo() - close those from @from on. */
void counters_undo(struct sys *sys, struct counters *counters, unsigned int from);
void counters_close(struct sys *sys, struct counters *counters);

#endif
