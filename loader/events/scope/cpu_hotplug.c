// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Detect CPUs that go offline or come back, through uevents or by polling sysfs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>

#include "loader/events/scope/cpu_hotplug.h"
#include "loader/core/event/steps.h"
#include "loader/base/calls/sockets.h"

/* Multicast group of the kernel's uevents, lib/kobject_uevent.c. udev sends its own to group 2. */
#define GROUP_KERNEL 1

/* The initial user namespace: PROC_USER_INIT_INO in include/linux/proc_ns.h. */
#define FIRST_USER_NS "user:[4026531837]"

#define CPU_PATH "/devices/system/cpu/cpu"

/* --- subscribe --- */

/*
 * Return true if uevents may not arrive: uevent_net_init() sends them only to network namespaces
 * that the initial user namespace owns. The owner of ours cannot be looked up, so assume our own
 * user namespace.
 */
static bool may_hear_nothing(struct sys *sys)
{
	char text[64];
	ssize_t n = sys_readlinkat(sys, "/proc/self/ns/user", text, sizeof(text) - 1);

	if (n < 0)
		return false;
	text[n] = '\0';
	return strcmp(text, FIRST_USER_NS) != 0;
}

static int open_socket(struct sys *sys)
{
	const struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd = sys_socket(sys, AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	int ret = fd < 0 ? fd : sys_bind(sys, fd, &addr, sizeof(addr));

	if (ret >= 0)
		return fd;
	if (fd >= 0)
		sys_close(sys, fd);
	return ret;
}

static void look_later(struct hotplug *h)
{
	h->look_ns = sys_monotonic_ns() + HOTPLUG_POLL_MS * UINT64_C(1000000);
}

int hotplug_begin(struct sys *sys, struct hotplug *h, struct error *err)
{
	int fd = open_socket(sys), ret;

	*h = (struct hotplug){ .fd = fd < 0 ? -1 : fd };
	h->polls = fd < 0 || may_hear_nothing(sys);
	if (!h->polls)
		return 0;
	look_later(h);
	ret = cpu_list_read(sys, "online", &h->online, err);
	if (ret < 0)
		return ret;
	if (fd < 0)
		error_set(err, -fd, "the kernel does not report CPUs that go offline: %s",
			  error_strerror(-fd));
	else
		error_set(err, ENOTSUP, "the kernel reports CPUs that go offline only in the "
					"initial user namespace, and this is another one");
	error_reason(err, "scope/no-uevents");
	return 1;
}

int hotplug_waits_ms(const struct hotplug *h)
{
	return h->polls ? sys_ms_until(h->look_ns) : -1;
}

/* --- receive --- */

/*
 * A uevent is "offline@/devices/system/cpu/cpu1" NUL "KEY=VALUE" NUL ...
 * Return: true if it concerns a CPU.
 */
static bool parse(const char *text, size_t size, int *cpu, bool *online)
{
	static const struct {
		const char *begin;
		bool online;
	} actions[] = {
		{ "online@" CPU_PATH, true },
		{ "offline@" CPU_PATH, false },
	};
	const size_t len = strnlen(text, size);
	uint64_t number;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		const size_t n = strlen(actions[i].begin);

		if (len <= n || memcmp(text, actions[i].begin, n) ||
		    number_parse_base(text + n, len - n, 10, &number) || number > INT32_MAX)
			continue;
		*cpu = number;
		*online = actions[i].online;
		return true;
	}
	return false;
}

/* Report the state of each CPU in @all according to @now; with @had, only changes. */
static void report_each(const struct cpu_list *all, const struct cpu_list *now,
			const struct cpu_list *had, hotplug_change_fn *change, void *arg)
{
	for (unsigned int i = 0; i < all->nr; i++) {
		const bool online = cpu_list_has(now, all->cpus[i]);

		if (!had || online != cpu_list_has(had, all->cpus[i]))
			change(arg, all->cpus[i], online);
	}
}

/* Read the lists in sysfs. @known: report only CPUs that changed since the last time. */
static int look(struct sys *sys, struct hotplug *h, bool known, hotplug_change_fn *change,
		void *arg, struct error *err)
{
	struct cpu_list now, all, had = h->online;
	int ret = cpu_list_read(sys, "possible", &all, err);

	if (ret < 0)
		return ret;
	ret = cpu_list_read(sys, "online", &now, err);
	if (ret == 0) {
		h->online = now;
		report_each(&all, &now, known ? &had : NULL, change, arg);
		cpu_list_free(&had);
	}
	cpu_list_free(&all);
	return ret;
}

/* Read one message. Return 1 if there are no more, 0, or an error. */
static int read_one(struct sys *sys, struct hotplug *h, hotplug_change_fn *change, void *arg,
		    struct error *err)
{
	struct sockaddr_nl from = { 0 };
	socklen_t len = sizeof(from);
	char text[4096];	/* UEVENT_BUFFER_SIZE is 2048 */
	bool online;
	int cpu;
	ssize_t n = sys_recvfrom(sys, h->fd, text, sizeof(text), MSG_DONTWAIT, &from, &len);

	if (n == -EAGAIN)
		return 1;
	if (n == -ENOBUFS) {
		h->nr_lost++;
		return look(sys, h, false, change, arg, err);
	}
	if (n < 0) {
		error_set(err, -n, "recvfrom: %s", error_strerror(-n));
		error_reason(err, "scope/no-uevents");
		return error_where(err, "CPUs that go offline");
	}
	/* Other senders need CAP_SYS_ADMIN and have a port id; the kernel's is 0. */
	if (!from.nl_pid && parse(text, n, &cpu, &online))
		change(arg, cpu, online);
	return 0;
}

int hotplug_read(struct sys *sys, struct hotplug *h, hotplug_change_fn *change, void *arg,
		 struct error *err)
{
	int ret = 0;

	while (!ret && h->fd >= 0)
		ret = read_one(sys, h, change, arg, err);
	if (ret < 0 || !h->polls || hotplug_waits_ms(h))
		return ret < 0 ? ret : 0;
	look_later(h);
	return look(sys, h, true, change, arg, err);
}

void hotplug_end(struct sys *sys, struct hotplug *h)
{
	if (h->fd >= 0)
		sys_close_fd(sys, &h->fd);
	cpu_list_free(&h->online);
	*h = (struct hotplug){ 0 };
}

int cpu_list_add(struct cpu_list *list, int cpu)
{
	unsigned int at = list->nr;
	int *cpus;

	if (cpu_list_has(list, cpu))
		return 0;
	cpus = reallocarray(list->cpus, list->nr + 1, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	list->cpus = cpus;
	for (; at > 0 && cpus[at - 1] > cpu; at--)
		cpus[at] = cpus[at - 1];
	cpus[at] = cpu;
	list->nr++;
	return 0;
}

void cpu_list_remove(struct cpu_list *list, int cpu)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < list->nr; i++)
		if (list->cpus[i] != cpu)
			list->cpus[nr++] = list->cpus[i];
	list->nr = nr;
}
