// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open a regular file and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "loader/base/calls/regular_file.h"

int sys_reopen_regular(struct sys *sys, int fd)
{
	char path[32];
	struct stat st;
	int ret = sys_fstat(sys, fd, &st);

	if (!ret && !S_ISREG(st.st_mode))
		ret = S_ISDIR(st.st_mode) ? -EISDIR : S_ISLNK(st.st_mode) ? -ELOOP : -EINVAL;
	if (!ret) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		ret = sys_openat(sys, AT_FDCWD, path,
				 O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	sys_close(sys, fd);
	return ret;
}

int sys_open_regular(struct sys *sys, int dirfd, const char *path, int flags)
{
	int fd = sys_openat(sys, dirfd, path, O_PATH | O_CLOEXEC | flags);

	return fd < 0 ? fd : sys_reopen_regular(sys, fd);
}
