/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files in the mount namespace of another process, and files that it has mapped. */
#ifndef PLOAD_OBJECTS_SYMBOLS_PROCESS_FILES_H
#define PLOAD_OBJECTS_SYMBOLS_PROCESS_FILES_H

#include "loader/core/event/event.h"
#include "loader/core/sys/sys.h"

/*
 * process_root() - Return the prefix for paths of process @pid: "" if it shares pload's root,
 * otherwise "/proc/PID/root". "symbols/no-process".
 */
int process_root(struct sys *sys, pid_t pid, char root[32], struct error *err);

/*
 * process_path() - Resolve @path below @root, following symbolic links within @root. Returns 0,
 * -ENAMETOOLONG or -ELOOP.
 */
int process_path(struct sys *sys, const char *root, const char *path, char out[EVENT_PATH_MAX]);

/*
 * process_open() - Open the regular file @path for reading, with @root, such as "/proc/PID/root",
 * as "/": symbolic links stay below it, even if somebody swaps them in the meantime.
 * @flags: O_NOFOLLOW, if the last component must not be a link; or 0
 *
 * Return: a descriptor, -EINVAL (a device, FIFO or socket), -EISDIR, or the error of openat(2).
 */
int process_open(struct sys *sys, const char *root, const char *path, int flags);

/* A line of /proc/PID/maps. */
struct process_mapping {
	uint64_t start, end, offset;
	uint64_t inode;
	bool deleted;
	unsigned int major, minor;
	const char *path;	/* in the mount namespace of the process; "[stack]"; or "" */
};

/*
 * process_each_mapping() - Call @each with each executable mapping until it returns a nonzero
 * value, and return that.
 */
int process_each_mapping(struct sys *sys, pid_t pid,
			 int (*each)(void *arg, const struct process_mapping *m), void *arg,
			 struct error *err);

#endif
