/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the entries of a directory, through struct sys. */
#ifndef PLOAD_CORE_SYS_READ_H
#define PLOAD_CORE_SYS_READ_H

#include "loader/core/sys/sys.h"

/**
 * sys_each_entry() - Call @entry with each name in directory @path, except names with a leading
 * dot.
 * @dirfd: @path is relative to this directory; AT_FDCWD.
 *
 * Return: 0, -errno, or the first value other than 0 that the callback returned, which ends it.
 */
int sys_each_entry(struct sys *sys, int dirfd, const char *path,
		   int (*entry)(void *arg, const char *name), void *arg);

/*
 * sys_lacks() - Return true if there is nothing at @path.
 * sys_is_no_file() - Return true if @path was found to be a directory, device, FIFO or socket.
 */
bool sys_lacks(struct sys *sys, const char *path);
bool sys_is_no_file(struct sys *sys, const char *path);

#endif
