// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks a directory through the seam: getdents64 and the records it gives. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/event/event_internal.h"

/*
 * include/linux/dirent.h, struct linux_dirent64: u64 d_ino; s64 d_off; u16 d_reclen; u8 d_type;
 * char d_name[].
 */
#define DIRENT_RECLEN 16
#define DIRENT_NAME 19

static int walk_records(const char *buf, size_t size, int (*entry)(void *arg, const char *name),
			void *arg)
{
	for (size_t off = 0; off < size;) {
		const char *record = buf + off, *name = record + DIRENT_NAME;
		uint16_t len;
		int ret;

		if (size - off < DIRENT_NAME)
			return -EIO;
		memcpy(&len, record + DIRENT_RECLEN, sizeof(len));
		if (len <= DIRENT_NAME || len > size - off ||
		    !memchr(name, '\0', len - DIRENT_NAME))
			return -EIO;
		ret = name[0] == '.' ? 0 : entry(arg, name);
		if (ret)
			return ret;
		off += len;
	}
	return 0;
}

bool event_fd_limit(struct sys *sys, int code, struct error *err)
{
	uint64_t limit[2];

	if (code != EMFILE && code != ENFILE)
		return false;
	error_reason(err, "event/fd-limit");
	if (code == EMFILE && sys_prlimit(sys, RLIMIT_NOFILE, NULL, limit) >= 0)
		error_hint(err,
			   "this process may have %llu descriptors (hard: %llu), and each map, "
			   "program, CPU and thread takes one: ulimit -n",
			   (unsigned long long)limit[0], (unsigned long long)limit[1]);
	else
		error_hint(err, "the machine has no more file descriptors: raise fs.file-max");
	return true;
}

int event_each_entry(struct sys *sys, int dirfd, const char *path,
		     int (*entry)(void *arg, const char *name), void *arg)
{
	char buf[4096];
	ssize_t size;
	int fd, ret = 0;

	fd = sys_openat(sys, dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fd;
	while (ret == 0) {
		size = sys_getdents64(sys, fd, buf, sizeof(buf));
		if (size <= 0) {
			ret = size;
			break;
		}
		ret = walk_records(buf, size, entry, arg);
	}
	sys_close(sys, fd);
	return ret;
}
