// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print each system call as it returns: its number, its arguments and its result. */
#include <stdlib.h>
#include <string.h>

#include "loader/core/plain/plain.h"

struct plain_trace {
	struct sys sys;
	struct sys *next;	/* borrowed */
};

/* Calls with a known name; for others the number is printed. */
static const struct {
	long nr;
	const char *name;
} calls[] = {
	{ __NR_bpf, "bpf" }, { __NR_perf_event_open, "perf_event_open" }, { __NR_ioctl, "ioctl" },
	{ __NR_mmap, "mmap" }, { __NR_munmap, "munmap" }, { __NR_close, "close" },
	{ __NR_read, "read" }, { __NR_openat, "openat" }, { __NR_epoll_ctl, "epoll_ctl" },
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	const struct plain_trace *t = (const struct plain_trace *)sys;
	const long ret = t->next->enter(t->next, nr, arg);
	char name[24];

	snprintf(name, sizeof(name), "%ld", nr);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (calls[i].nr == nr)
			snprintf(name, sizeof(name), "%s", calls[i].name);
	fprintf(stderr, "%s(%#lx, %#lx, %#lx, %#lx, %#lx, %#lx) = ", name, arg[0], arg[1], arg[2],
		arg[3], arg[4], arg[5]);
	if (sys_failed(ret))
		fprintf(stderr, "-1 %s\n", error_strerror(-ret));
	else
		fprintf(stderr, "%ld\n", ret);
	return ret;
}

static void end(struct sys *sys)
{
	free(sys);
}

struct sys *plain_trace(struct sys *next)
{
	struct plain_trace *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	*t = (struct plain_trace){ .sys = { .enter = enter, .free = end }, .next = next };
	return &t->sys;
}
