// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The lock is flock(2) on the root directory of tracefs. tracefs has a single superblock, so its
 * root is the same inode in every mount namespace and container. The kernel releases the lock when
 * the process ends, however it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/harness/kernel_lock.h"

#define TRACEFS "/sys/kernel/tracing"
#define TRACEFS_MAGIC 0x74726163

int kernel_lock_take(bool (*stop)(void *arg), void *arg)
{
	const struct timespec pause = { 0, 20000000 };
	struct statfs fs;
	int fd = open(TRACEFS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && (fstatfs(fd, &fs) || fs.f_type != TRACEFS_MAGIC)) {
		close(fd);
		fd = -1;
	}
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK || stop(arg)) {
			close(fd);
			return -1;
		}
		nanosleep(&pause, NULL);
	}
	return fd;
}

/* A child that outlives its test may still have a copy of the descriptor. */
void kernel_lock_release(int fd)
{
	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	close(fd);
}
