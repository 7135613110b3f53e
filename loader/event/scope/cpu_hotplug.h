/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPUs that go offline and come back while a session runs: who tells, and what is told. */
#ifndef PLOAD_EVENT_SCOPE_CPU_HOTPLUG_H
#define PLOAD_EVENT_SCOPE_CPU_HOTPLUG_H

#include "loader/event/event.h"

/* Zeroed: nobody listens. */
struct hotplug {
	int fd;			/* owned; a NETLINK_KOBJECT_UEVENT socket, or -1 */
	bool polls;		/* it may hear nothing: now and then the list is looked at */
	uint64_t look_ns;	/* when next */
	struct cpu_list online;	/* owned; as last looked at */
	unsigned int nr_lost;	/* how often the socket had no room for what the kernel told */
};

/* How often the list in sysfs is looked at, where nobody tells. */
#define HOTPLUG_POLL_MS 1000

/*
 * hotplug_begin() - listen from here on. Called before others read the list of CPUs, so that
 * nothing happens in between. 0; or 1: the kernel tells us nothing, for the reason in @err
 * ("scope/no-uevents"), and the list is polled instead; or an error.
 */
int hotplug_begin(struct sys *sys, struct hotplug *h, struct error *err);

/*
 * hotplug_waits_ms() - how long at most until hotplug_read() is due without the socket; -1: never.
 */
int hotplug_waits_ms(const struct hotplug *h);

/*
 * hotplug_read() - tell @change what has happened since, in its order. Meanwhile the CPU may have
 * changed again, and what is told may be known already: one that came online before others read the
 * list. When the kernel had to drop messages, each possible CPU is told of as it is now. Returns 0
 * or an error, after which nothing more will be told.
 */
typedef void hotplug_change_fn(void *arg, int cpu, bool online);
int hotplug_read(struct sys *sys, struct hotplug *h, hotplug_change_fn *change, void *arg,
		 struct error *err);

void hotplug_end(struct sys *sys, struct hotplug *h);

#endif
