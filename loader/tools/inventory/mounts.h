/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Mount points of a file system type, and the cgroup with a given id. */
#ifndef PLOAD_TOOLS_INVENTORY_MOUNTS_H
#define PLOAD_TOOLS_INVENTORY_MOUNTS_H

#include <stdbool.h>

#include "loader/core/sys/sys.h"

/**
 * mounts_visit() - Call @visit with each mount point of file systems of @type.
 * @visit: a nonzero result ends the visit.
 *
 * Return: 0, -errno, or that result.
 */
int mounts_visit(struct sys *sys, const char *type, int (*visit)(void *arg, const char *path),
		 void *arg);

/**
 * mounts_find_cgroup() - Find the directory of the cgroup with @id below the cgroup2 mounts.
 * @path: receives the path, truncated to @size.
 *
 * Return: true if it was found.
 */
bool mounts_find_cgroup(struct sys *sys, uint64_t id, char *path, size_t size);

#endif
