// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decide which calls another user can block. Reading the /proc/PID files listed here never blocks;
 * SECURITY.md has the table.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/proxy/proxy_internal.h"

/* The kernel reads these without taking a lock of the process. */
static const char *const immediate[] = { "comm", "status", "schedstat", "cgroup", "fd", "fdinfo",
					 "task" };

static bool is_immediate(const char *name)
{
	const size_t len = strcspn(name, "/");

	if (!strncmp(name, "fdinfo/", 7))
		return true;
	if (!strncmp(name, "task/", 5)) {
		name += 5;
		name += strcspn(name, "/");
		return !name[0] || is_immediate(name + 1);
	}
	for (size_t i = 0; i < sizeof(immediate) / sizeof(immediate[0]); i++)
		if (len == strlen(immediate[i]) && !memcmp(name, immediate[i], len) && !name[len])
			return true;
	return !name[0];
}

static bool is_other(const struct proxy *p, pid_t pid)
{
	for (unsigned int i = 0; i < PROXY_CHILDREN; i++)
		if (p->children[i] == pid)
			return false;
	return pid > 0 && pid != getpid();
}

/* "/proc/7/maps": 7; "/proc/self/fd/8": the process that file 8 belongs to. */
static pid_t of_path(const struct proxy *p, const char *path)
{
	static const char proc[] = "/proc/", own_fd[] = "/proc/self/fd/";
	unsigned long pid;
	char *rest;

	if (!strncmp(path, own_fd, strlen(own_fd)))
		return proxy_owner_of(p, atoi(path + strlen(own_fd)));
	if (strncmp(path, proc, strlen(proc)))
		return 0;
	pid = strtoul(path + strlen(proc), &rest, 10);
	if (pid > INT32_MAX || *rest != '/' || !is_other(p, pid))
		return 0;
	return is_immediate(rest + 1) ? 0 : pid;
}

pid_t proxy_owner_of(const struct proxy *p, int fd)
{
	return fd >= 0 && (unsigned int)fd < p->nr_owners ? p->owners[fd] : 0;
}

pid_t proxy_may_wait(const struct proxy *p, long nr, const unsigned long arg[6])
{
	switch (nr) {
	case __NR_perf_event_open:
		return !(arg[4] & PERF_FLAG_PID_CGROUP) && is_other(p, arg[1]) ? (pid_t)arg[1] : 0;
	case __NR_openat:
	case __NR_readlinkat:
		return (int)arg[0] >= 0 ? proxy_owner_of(p, arg[0]) :
					  of_path(p, (const char *)arg[1]);
	case __NR_statfs:
		return of_path(p, (const char *)arg[0]);
	case __NR_read:
	case __NR_pread64:
	case __NR_getdents64:
	case __NR_fstat:
	case __NR_close:
		return proxy_owner_of(p, arg[0]);
	default:
		return 0;
	}
}
