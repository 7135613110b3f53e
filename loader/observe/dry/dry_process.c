// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Simulate processes in a dry run: none is created, and each exits with status 0. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "loader/observe/dry/dry_internal.h"

#define CHILD 4242	/* an arbitrary pid */

long dry_clone(struct dry *dry, const unsigned long arg[6])
{
	(void)arg;
	dry->child = CHILD;
	return dry->child;
}

long dry_execve(struct dry *dry, const unsigned long arg[6])
{
	(void)dry;
	return arg[0] ? -ENOENT : -EFAULT;
}

long dry_waitid(struct dry *dry, const unsigned long arg[6])
{
	siginfo_t *info = (siginfo_t *)arg[2];

	if (arg[0] != P_PID || !dry->child || (int)arg[1] != dry->child)
		return -ECHILD;
	dry->child = 0;	/* it can be waited for once */
	if (!info)
		return 0;
	memset(info, 0, sizeof(*info));
	info->si_signo = SIGCHLD;
	info->si_code = CLD_EXITED;
	info->si_pid = arg[1];
	return 0;
}

long dry_kill(struct dry *dry, const unsigned long arg[6])
{
	return dry->child && (int)arg[0] == dry->child ? 0 : -ESRCH;
}

long dry_pipe2(struct dry *dry, const unsigned long arg[6])
{
	int *fds = (int *)arg[0], nr[2];
	struct dry_fd *fd;

	if (!fds)
		return -EFAULT;
	for (int i = 0; i < 2; i++) {
		nr[i] = dry_fd_new(dry, SIM_PIPE, &fd);
		if (nr[i] >= 0)
			continue;
		if (i)
			sim_fd_free(&dry->fds, nr[0]);
		return nr[i];
	}
	memcpy(fds, nr, sizeof(nr));
	return 0;
}

bool dry_has_ended(const struct dry *dry, const struct dry_fd *fd)
{
	return dry->child && fd->kind == SIM_PIDFD && fd->type == (uint32_t)dry->child;
}

/* Every process exists. */
long dry_pidfd_open(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd;

	int nr = (int)arg[0] > 0 ? dry_fd_new(dry, SIM_PIDFD, &fd) : -EINVAL;

	if (nr >= 0)
		fd->type = arg[0];
	return nr;
}
