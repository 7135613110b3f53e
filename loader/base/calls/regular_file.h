/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Open a regular file, and nothing else. */
#ifndef PLOAD_BASE_CALLS_REGULAR_FILE_H
#define PLOAD_BASE_CALLS_REGULAR_FILE_H

#include "loader/core/sys/sys.h"

/**
 * sys_open_regular() - Open a regular file for reading, and nothing else: opening a device may
 * start it, become the terminal of this process, or wait.
 * @flags: O_NOFOLLOW, or 0
 *
 * sys_reopen_regular() - The same for a file that @fd has opened with O_PATH. @fd is closed.
 *
 * Return: a descriptor, -EISDIR, -EINVAL (another kind of file), -ELOOP (a symbolic link and
 * O_NOFOLLOW), or the error of openat(2). It takes /proc.
 */
int sys_open_regular(struct sys *sys, int dirfd, const char *path, int flags);
int sys_reopen_regular(struct sys *sys, int fd);

#endif
