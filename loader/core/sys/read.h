/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read the entries of a directory, through struct sys. */
#ifndef PLOAD_CORE_SYS_READ_H
#define PLOAD_CORE_SYS_READ_H

#include "loader/core/sys/sys.h"

/**
 * sys_each_entry() - Call @entry with each name in directory @path, except those with a leading
 * dot.
 * @dirfd: the directory that @path is relative to, or AT_FDCWD.
 *
 * Return: 0, -errno, or the first nonzero value returned by the callback, which ends the iteration.
 */
int sys_each_entry(struct sys *sys, int dirfd, const char *path,
		   int (*entry)(void *arg, const char *name), void *arg);

/*
 * sys_lacks() - Return true if @path does not exist.
 * sys_is_no_file() - Return true if @path is known to be a directory, device, FIFO or socket.
 */
bool sys_lacks(struct sys *sys, const char *path);
bool sys_is_no_file(struct sys *sys, const char *path);

#endif
