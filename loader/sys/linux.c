// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The running kernel: the only caller of syscall(2). */
#include <errno.h>
#include <unistd.h>

#include "loader/sys/sys.h"

/* syscall(2) tells failure by -1 and errno; what comes back here is the kernel's own -errno. */
static long linux_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	long ret;

	(void)sys;
	ret = syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	return ret == -1 ? -errno : ret;
}

struct sys *sys_linux(void)
{
	static struct sys linux_sys = { .enter = linux_enter };

	return &linux_sys;
}
