/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Open a regular file and nothing else. */
#ifndef PLOAD_BASE_CALLS_REGULAR_FILE_H
#define PLOAD_BASE_CALLS_REGULAR_FILE_H

#include "loader/core/sys/sys.h"

/**
 * sys_open_regular() - Open a regular file for reading, and nothing else. Opening a device may
 * start it, make it the controlling terminal, or block.
 * @flags: O_NOFOLLOW, or 0
 *
 * sys_reopen_regular() - The same for a file opened as @fd with O_PATH. Closes @fd.
 *
 * Return: a descriptor, -EISDIR, -EINVAL (another kind of file), -ELOOP (a symbolic link and
 * O_NOFOLLOW), or the error of openat(2). Needs /proc.
 */
int sys_open_regular(struct sys *sys, int dirfd, const char *path, int flags);
int sys_reopen_regular(struct sys *sys, int fd);

#endif
