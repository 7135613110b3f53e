// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Open a file that a process has mapped. The path is from the point of view of that process, which
 * may have ended or have a different root directory; the file may have been deleted or replaced
 * since.
 *
 *	/proc/PID/map_files/START-END	the mapping itself, while the process exists
 *	/proc/PID/root/PATH		... the file that has this path for it now
 *	/proc/PARENT/root/PATH		... for its parent, and so on
 *	PATH				... for pload, if the process shared its mount namespace
 *
 * The file is untrusted: open only regular files, because opening a device may have side effects.
 */
#include <stdio.h>
#include <string.h>

#include "loader/base/calls/regular_file.h"
#include "loader/profile/symbolize/symbolize_internal.h"
#include "loader/objects/symbols/process_files.h"

/* Return true if its inode is that of the mapped file. */
static bool is_that_inode(struct sys *sys, const struct symbol_request *request, int fd)
{
	const struct file_identity *id = &request->id;
	struct stat st;

	if (sys_fstat(sys, fd, &st) < 0)
		return false;
	/*
	 * File systems without a device (major number 0) may report different numbers for a mapping
	 * than stat(2).
	 */
	return !id->inode || !id->major || id->inode == st.st_ino;
}

/* Return @fd if it is the file in @request. */
static int checked(struct sys *sys, const struct symbol_request *request, int fd)
{
	if (fd < 0 || is_that_inode(sys, request, fd))
		return fd;
	sys_close_fd(sys, &fd);
	return -ESTALE;
}

int open_mapped(struct sys *sys, const struct symbol_request *request)
{
	char path[80], below[32];
	int fd = -ESRCH, stale = 0;

	if (request->nr_pids && request->end) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", request->pids[0],
			 (unsigned long long)request->start, (unsigned long long)request->end);
		fd = checked(sys, request, sys_open_regular(sys, AT_FDCWD, path, 0));
	}
	for (uint32_t i = 0; fd < 0 && i < request->nr_pids; i++) {
		snprintf(below, sizeof(below), "/proc/%u/root", request->pids[i]);
		fd = checked(sys, request, process_open(sys, below, request->path, 0));
		stale |= fd == -ESTALE;
	}
	if (fd < 0 && request->host)
		fd = checked(sys, request, sys_open_regular(sys, AT_FDCWD, request->path, 0));
	return fd < 0 && stale ? -ESTALE : fd;
}

int open_perf_map(struct sys *sys, const struct symbol_request *request)
{
	char root[32], path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", request->pid);
	if (request->nr_pids) {
		snprintf(root, sizeof(root), "/proc/%u/root", request->pids[0]);
		fd = process_open(sys, root, path, O_NOFOLLOW);
	} else if (request->host) {
		fd = sys_open_regular(sys, AT_FDCWD, path, O_NOFOLLOW);
	} else {
		return -ESRCH;
	}
	if (fd < 0)
		return fd;
	if (sys_fstat(sys, fd, &st) >= 0 && (st.st_uid == request->uid || !st.st_uid))
		return fd;
	sys_close_fd(sys, &fd);
	return -EPERM;
}
