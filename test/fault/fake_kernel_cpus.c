// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's CPUs, which go offline and come back, and the sockets that are notified. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>
#include <sys/socket.h>

#include "test/fault/fake_kernel_parts.h"

bool fake_cpu_online(const struct fake_kernel *k, int cpu)
{
	return cpu < FAKE_POSSIBLE_CPUS && k->cpus & 1u << cpu;
}

/* "0,1" is as valid as "0-1". */
const struct fake_path *fake_cpu_file(struct fake_kernel *k, const char *path)
{
	size_t len = 0;

	if (strcmp(path, "/sys/devices/system/cpu/online"))
		return NULL;
	for (int cpu = 0; cpu < FAKE_POSSIBLE_CPUS; cpu++)
		if (fake_cpu_online(k, cpu))
			len += snprintf(k->online_text + len, sizeof(k->online_text) - len, "%s%d",
					len ? "," : "", cpu);
	snprintf(k->online_text + len, sizeof(k->online_text) - len, "\n");
	k->online_file = (struct fake_path){ "online", k->online_text, 0, 0 };
	return &k->online_file;
}

/* perf_event_exit_cpu(): the events of a CPU never count on it again. */
void fake_kernel_set_cpu(struct fake_kernel *k, int cpu, bool online)
{
	char text[128];

	k->cpus = online ? k->cpus | 1u << cpu : k->cpus & ~(1u << cpu);
	for (unsigned int i = 0; !online && i < k->nr_events; i++)
		if (k->events[i]->cpu == cpu && k->events[i]->pid == -1) {
			k->events[i]->dead = true;
			k->events[i]->enabled = false;
		}
	snprintf(text, sizeof(text), "%s@/devices/system/cpu/cpu%d", online ? "online" : "offline",
		 cpu);
	fake_kernel_uevent(k, text, 0);
}

void fake_kernel_uevent(struct fake_kernel *k, const char *text, int code)
{
	struct fake_uevent *e;

	k->uevents = fake_grow(k->uevents, k->nr_uevents, sizeof(*k->uevents));
	e = &k->uevents[k->nr_uevents++];
	e->code = code;
	snprintf(e->text, sizeof(e->text), "%s", text);
}

/* --- sockets --- */

long fake_socket(struct fake_kernel *k, const unsigned long arg[6])
{
	struct fake_fd *fd;
	int nr = fake_fd_new(k, SIM_SOCKET, &fd);

	if (!(arg[1] & SOCK_CLOEXEC))
		fake_violation(k, "call %u: socket without SOCK_CLOEXEC", k->nr_calls);
	if (nr >= 0)
		fd->id = arg[0] == AF_NETLINK && arg[2] == NETLINK_KOBJECT_UEVENT;
	return nr;
}

/* The socket receives the messages sent after this call. */
long fake_bind_socket(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct sockaddr_nl *addr = (const struct sockaddr_nl *)arg[1];
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, arg[0], SIM_SOCKET, &code);

	if (!fd)
		return code == -EBADF ? code : -ENOTSOCK;
	if (!fd->id || arg[2] < sizeof(*addr) || addr->nl_family != AF_NETLINK)
		return -EINVAL;
	fd->signals = addr->nl_groups;
	fd->pos = k->nr_uevents;
	return 0;
}

bool fake_uevent_ready(const struct fake_kernel *k, const struct fake_fd *fd)
{
	return fd->signals & 1 && fd->pos < k->nr_uevents;
}

long fake_recvfrom(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct fake_uevent *e;
	struct sockaddr_nl *from = (struct sockaddr_nl *)arg[4];
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, arg[0], SIM_SOCKET, &code);
	size_t len;

	if (!fd)
		return code == -EBADF ? code : -ENOTSOCK;
	if (!fake_uevent_ready(k, fd)) {
		if (!(arg[3] & MSG_DONTWAIT))
			fake_violation(k, "call %u: recvfrom waits for ever", k->nr_calls);
		return -EAGAIN;
	}
	e = &k->uevents[fd->pos++];
	if (e->code > 0)
		return -e->code;
	len = strlen(e->text) + 1;
	if (arg[2] < len)
		return -EINVAL;
	memcpy((void *)arg[1], e->text, len);
	*from = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = e->code < 0 ? 4711 : 0 };
	return len;
}
