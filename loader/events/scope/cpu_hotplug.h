/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPUs that go offline and come back during a session. */
#ifndef PLOAD_EVENTS_SCOPE_CPU_HOTPLUG_H
#define PLOAD_EVENTS_SCOPE_CPU_HOTPLUG_H

#include "loader/core/sys/cpus.h"

/* When not listening, fd is -1 and the rest is zero. */
struct hotplug {
	int fd;			/* owned; a NETLINK_KOBJECT_UEVENT socket, or -1 */
	bool polls;		/* messages may be missing: poll the list as well */
	uint64_t look_ns;	/* time of the next poll */
	struct cpu_list online;	/* owned; as last read */
	unsigned int nr_lost;	/* number of socket overflows */
};

#define HOTPLUG_POLL_MS 1000	/* interval of reading the list in sysfs */

/**
 * hotplug_begin() - Start listening. Call it before the list of CPUs is read elsewhere, so that no
 * change is missed in between.
 *
 * Return: 0; 1 if the kernel does not send messages here, in which case the list is polled and @err
 * has the reason ("scope/no-uevents"); or -errno.
 */
int hotplug_begin(struct sys *sys, struct hotplug *h, struct error *err);

/**
 * * hotplug_waits_ms() - Return the milliseconds until hotplug_read() is due even without a
 * message; -1: never.
 */
int hotplug_waits_ms(const struct hotplug *h);

/**
 * hotplug_read() - Call @change for each change since the last call, in order. The CPU may have
 * changed again since, and the change may already be known. If the kernel dropped messages, @change
 * is called for each possible CPU with its current state.
 *
 * Return: 0, or -errno, after which no more changes are reported.
 */
typedef void hotplug_change_fn(void *arg, int cpu, bool online);
int hotplug_read(struct sys *sys, struct hotplug *h, hotplug_change_fn *change, void *arg,
		 struct error *err);

void hotplug_end(struct sys *sys, struct hotplug *h);

/** cpu_list_add() - Insert @cpu unless it is already in the list. Return: 0 or -ENOMEM. */
int cpu_list_add(struct cpu_list *list, int cpu);
/** cpu_list_remove() - Remove @cpu if it is in the list. */
void cpu_list_remove(struct cpu_list *list, int cpu);

#endif
