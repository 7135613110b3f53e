/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPUs that go offline and come back online while a session runs. */
#ifndef PLOAD_EVENTS_SCOPE_CPU_HOTPLUG_H
#define PLOAD_EVENTS_SCOPE_CPU_HOTPLUG_H

#include "loader/core/sys/cpus.h"

/* Not listening: fd is -1, the rest is zeroed. */
struct hotplug {
	int fd;			/* owned; a NETLINK_KOBJECT_UEVENT socket, or -1 */
	bool polls;		/* messages may be missing: compare the list now and then */
	uint64_t look_ns;	/* the next time */
	struct cpu_list online;	/* owned; as last read */
	unsigned int nr_lost;	/* overflows of the socket */
};

#define HOTPLUG_POLL_MS 1000	/* interval of reading the list in sysfs */

/**
 * hotplug_begin() - Start to listen. Call it before the list of CPUs is read for other purposes, so
 * that no change is missed in between.
 *
 * Return: 0; 1 if the kernel sends no messages here, for the reason in @err ("scope/no-uevents"),
 * so that the list is polled instead; or -errno.
 */
int hotplug_begin(struct sys *sys, struct hotplug *h, struct error *err);

/** hotplug_waits_ms() - Milliseconds until hotplug_read() is due without a message; -1: never. */
int hotplug_waits_ms(const struct hotplug *h);

/**
 * hotplug_read() - Call @change for each change since the last call, in order. The CPU may have
 * changed again since, and the change may be known already. If the kernel dropped messages, @change
 * is called for each possible CPU with its present state.
 *
 * Return: 0, or -errno, after which no more changes will be reported.
 */
typedef void hotplug_change_fn(void *arg, int cpu, bool online);
int hotplug_read(struct sys *sys, struct hotplug *h, hotplug_change_fn *change, void *arg,
		 struct error *err);

void hotplug_end(struct sys *sys, struct hotplug *h);

/** cpu_list_add() - Insert @cpu unless the list has it. Return: 0 or -ENOMEM. */
int cpu_list_add(struct cpu_list *list, int cpu);
/** cpu_list_remove() - Remove @cpu if the list has it. */
void cpu_list_remove(struct cpu_list *list, int cpu);

#endif
