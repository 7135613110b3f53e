// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The running kernel: the only caller of syscall(2). */
#include <errno.h>
#include <unistd.h>

#include "loader/core/sys/sys.h"

/* SYSCALL_DEFINE1(old_mmap) in arch/s390/kernel/syscall.c: one argument, a pointer to six. */
#ifdef __s390x__
#define ARGS_IN_MEMORY(nr) ((nr) == __NR_mmap)
#else
#define ARGS_IN_MEMORY(nr) false
#endif

/* Undo what syscall(2) does to errors: return -errno instead of -1 with errno set. */
static long linux_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	long ret;

	(void)sys;
	if (ARGS_IN_MEMORY(nr))
		ret = syscall(nr, arg);
	else
		ret = syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	return ret == -1 ? -errno : ret;
}

struct sys *sys_linux(void)
{
	static struct sys linux_sys = { .enter = linux_enter };

	return &linux_sys;
}
