// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the functions that ftrace can trace from tracefs.
 *
 *	available_filter_functions_addrs (Linux 6.5)	available_filter_functions
 *	ffffffff81000014 vfs_read			vfs_read
 *	ffffffffc0a01004 ext4_sync_fs [ext4]		ext4_sync_fs [ext4]
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/core/event/pmu.h"
#include "loader/objects/multi/multi_internal.h"
#include "loader/core/sys/read.h"

struct reader {
	bool addresses;
	int (*fn)(void *arg, const struct traceable_function *t);
	void *arg;
};

static int take_line(void *arg, char *line)
{
	struct reader *r = arg;
	struct traceable_function t = { .module = "" };
	char *name = line, *module, *end;

	if (r->addresses) {
		t.address = strtoull(line, &end, 16);
		if (end == line || *end != ' ')
			return 0;
		name = end + 1;
	}
	module = name + strcspn(name, " \t");
	if (*module) {
		*module++ = '\0';
		module += strspn(module, " \t[");
		module[strcspn(module, "]")] = '\0';
		t.module = module;
	}
	t.name = name;
	/* A function that no longer exists is "__ftrace_invalid_address___OFFSET". */
	if (!strncmp(name, "__ftrace_invalid_address", strlen("__ftrace_invalid_address")))
		return 0;
	return r->fn(r->arg, &t);
}

int traceable_functions_each(struct sys *sys,
			     int (*fn)(void *arg, const struct traceable_function *t), void *arg)
{
	struct reader r = { .addresses = true, .fn = fn, .arg = arg };
	const int flags = O_RDONLY | O_CLOEXEC;
	struct tracefs tracefs;
	int ret = tracefs_find(sys, &tracefs, NULL), fd = -1;

	if (!ret) {
		fd = tracefs_openat(sys, &tracefs, "available_filter_functions_addrs", flags);
		r.addresses = fd >= 0;
		if (fd < 0)
			fd = tracefs_openat(sys, &tracefs, "available_filter_functions", flags);
		ret = fd < 0 ? fd : sys_each_line(sys, fd, take_line, &r);
	}
	sys_close_fd(sys, &fd);
	tracefs_close(sys, &tracefs);
	return ret;
}
