// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An aide is a fork of the session and gives up what the session owns. While the kernel cannot kill
 * it, it must not keep programs attached or pipes open.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/base/text/each_line.h"
#include "loader/base/calls/credentials.h"
#include "loader/base/proxy/aide.h"
#include "loader/core/sys/number.h"
#include "loader/core/sys/read.h"

static int close_one(void *arg, const char *name)
{
	const int *keep = arg;
	uint64_t fd;

	if (!number_parse(name, strlen(name), &fd) && fd > (uint64_t)*keep)
		sys_close(sys_linux(), fd);
	return 0;
}

/* Move *@fd to the lowest number, and close all others. */
static int close_others(struct sys *sys, int *fd)
{
	int last = SANITIZED ? STDERR_FILENO : STDIN_FILENO, ret = 0;

	if (*fd != STDIN_FILENO)
		ret = sys_dup3(sys, *fd, STDIN_FILENO, 0);
	if (ret < 0)
		return ret;
	*fd = STDIN_FILENO;
	ret = sys_close_range(sys, last + 1, INT32_MAX);
	if (ret != -ENOSYS)
		return ret;
	/* For Linux before 5.9. A pass ends early if it closes the directory it is reading. */
	for (int round = 0; round < 4; round++)
		sys_each_entry(sys, AT_FDCWD, "/proc/self/fd", close_one, &last);
	return 0;
}

/* "7f00-7f10 rw-s ...": 's' marks shared memory. */
static int unmap_shared(void *sys, char *line)
{
	unsigned long start, end;
	char permissions[5];

	if (sscanf(line, "%lx-%lx %4s", &start, &end, permissions) == 3 && permissions[3] == 's')
		sys_munmap(sys, (void *)start, end - start);
	return 0;
}

int aide_leave(struct sys *sys, int *fd, pid_t parent, uint64_t signals)
{
	int ret;

	sys_prctl(sys, PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		return -ESRCH;
	ret = close_others(sys, fd);
	if (ret >= 0)
		ret = sys_each_line_of(sys, AT_FDCWD, "/proc/self/maps", unmap_shared, sys);
	return ret < 0 ? ret : sys_sigprocmask(sys, SIG_SETMASK, ~signals, NULL);
}
