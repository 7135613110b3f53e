// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read a process's user, its pid in its PID namespace, and which files it sees, both when it is
 * first seen and when it executes a program, because its pid may be reused later.
 *
 *	/proc/PID/status	Uid:	real	effective	...
 *				NSpid:	number here	...	number in the innermost namespace
 *	/proc/PID/ns/mnt	mnt:[4026531841]
 *	/proc/PID/root		/
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/profile/address_names/addresses_internal.h"
#include "loader/core/sys/read.h"

static int take_line(void *arg, char *line)
{
	struct owner *owner = arg;
	const char *last = strrchr(line, '\t'), *second = strchr(line, '\t');

	if (!last)
		return 0;
	if (!strncmp(line, "Uid:", 4)) {
		second = strchr(second + 1, '\t');
		owner->uid = strtoul(second ? second + 1 : last + 1, NULL, 10);
	} else if (!strncmp(line, "NSpid:", 6)) {
		owner->inner_pid = strtoul(last + 1, NULL, 10);
		return 1;
	}
	return 0;
}

/* FNV-1a of the target of a link below /proc/PROCESS. Return 0 if it cannot be read. */
static uint64_t hash_link(struct sys *sys, uint64_t hash, const char *process, const char *name)
{
	char path[64], link[EVENT_PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%s/%s", process, name);
	len = sys_readlinkat(sys, path, link, sizeof(link));
	for (ssize_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)link[i]) * 0x100000001b3ull;
	return len > 0 ? hash : 0;
}

/* Return a hash of its mount namespace and root directory; 0: unknown. */
static uint64_t mount_of(struct sys *sys, const char *process)
{
	const uint64_t hash = hash_link(sys, 0xcbf29ce484222325ull, process, "ns/mnt");

	return hash ? hash_link(sys, hash, process, "root") : 0;
}

void process_identify(struct addresses *a, uint32_t pid, struct owner *owner)
{
	char path[32], number[16];
	uint64_t mount;

	if (!a->own_mount)
		a->own_mount = mount_of(a->sys, "self");
	snprintf(number, sizeof(number), "%u", pid);
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	sys_each_line_of(a->sys, AT_FDCWD, path, take_line, owner);
	mount = mount_of(a->sys, number);
	if (mount)
		owner->mount = mount;
}
