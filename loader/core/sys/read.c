// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the entries of a directory, through struct sys. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "loader/core/sys/read.h"

/*
 * getdents64(2) fills a buffer with consecutive records (include/linux/dirent.h, struct
 * linux_dirent64):
 *
 *	0        8        16         18       19
 *	+--------+--------+----------+--------+-----------------+---------+
 *	| d_ino  | d_off  | d_reclen | d_type | d_name ... '\0' | padding |
 *	+--------+--------+----------+--------+-----------------+---------+
 *	|<----------------------- d_reclen bytes ----------------------->|
 */
#define DIRENT_RECLEN 16
#define DIRENT_NAME 19

/*
 * Establishes for each record, before anything uses its name: - its fixed part and all d_reclen
 * bytes are inside the buffer; - d_reclen is larger than the fixed part, so that each step
 * advances; - the name ends with a NUL inside the record.
 */
static int each_record(const char *buf, size_t size, int (*entry)(void *arg, const char *name),
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

int sys_each_entry(struct sys *sys, int dirfd, const char *path,
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
		ret = each_record(buf, size, entry, arg);
	}
	sys_close(sys, fd);
	return ret;
}

bool sys_lacks(struct sys *sys, const char *path)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const bool lacks = fd == -ENOENT;

	sys_close_fd(sys, &fd);
	return lacks;
}

bool sys_is_no_file(struct sys *sys, const char *path)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_CLOEXEC);
	struct stat st;
	const bool is = fd >= 0 && sys_fstat(sys, fd, &st) >= 0 && !S_ISREG(st.st_mode);

	sys_close_fd(sys, &fd);
	return is;
}
