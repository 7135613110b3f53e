/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counting events in a map, for programs that call bpf_perf_event_read() or
 * bpf_perf_event_read_value(). (parts/counters.c)
 */
#ifndef PLOAD_CORE_SESSION_COUNTERS_H
#define PLOAD_CORE_SESSION_COUNTERS_H

#include "loader/core/event/event.h"
#include "loader/core/sys/fd_limit.h"

struct counter_group;

struct counter {
	struct counter_group *group;	/* its event and its map */
	int cpu;
	int fd;			/* owned; -1 while its CPU is offline */
	unsigned int count;	/* the caller's id of what @fd has counted; 0: none yet */
};

struct counters {
	struct counter *list;	/* owned; one per CPU, event and map */
	unsigned int nr;
	struct counter_group **groups;	/* owned, including what they point to */
	unsigned int nr_groups;
	struct fd_limit *room;	/* borrowed; the descriptor limit to raise, or NULL */
};

/**
 * counters_add() - Open @spec as a counting event (enabled, no sampling, every task) on each of
 * @cpus, and store it in the PERF_EVENT_ARRAY @map_fd at the CPU's index.
 *
 * A helper can only read events of its own CPU: otherwise it returns -EINVAL. An event for one kind
 * of cores is opened only on those. A CPU number of @max_entries or more is an error. The map holds
 * an event only while our descriptor is open.
 */
int counters_add(struct sys *sys, struct counters *counters, const struct event_spec *spec,
		 int map_fd, uint32_t max_entries, const struct cpu_list *cpus, struct error *err);

/**
 * counters_cpu_gone() - Close the counters of @cpu, which went offline. Return: their number.
 * counters_cpu_online() - Open the counters of @cpu. Return: their number, or -errno.
 */
unsigned int counters_cpu_gone(struct sys *sys, struct counters *counters, int cpu);
int counters_cpu_online(struct sys *sys, struct counters *counters, int cpu, struct error *err);

/**
 * * counter_event() - Return the counter's event, and its map's descriptor in @map_fd. All
 * borrowed.
 */
const struct event_spec *counter_event(const struct counter *counter, int *map_fd);

/** counters_undo() - Close the counters from @from on. counters_close() - Close all of them. */
void counters_undo(struct sys *sys, struct counters *counters, unsigned int from);
void counters_close(struct sys *sys, struct counters *counters);

#endif
