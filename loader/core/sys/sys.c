// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Small helpers around system calls: close, read a line, a detached mount, the clock. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <linux/mount.h>

#include "loader/core/sys/sys.h"

void sys_remark(struct sys *sys, enum sys_remark_kind kind, const struct sys_source *source,
		const char *fmt, ...)
{
	char text[1024] = "";
	va_list ap;

	va_start(ap, fmt);
	if (fmt)
		vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	sys->remark(sys, &(const struct sys_remark){ kind, *source, text });
}

/* The parentheses bypass the macros, so that the caller's line is reported as the source. */
void (sys_close_fd)(struct sys *sys, int *fd)
{
	if (*fd >= 0)
		(sys_close)(sys, *fd);
	*fd = -1;
}

/* Read a line at the file position of @fd. Return: its length, or -errno. */
static int read_line(struct sys *sys, int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = sys_read(sys, fd, buf + len, size - len);
		char *end;

		if (n < 0)
			return n;
		end = memchr(buf + len, '\n', n);
		if (end || n == 0) {
			if (!end)
				end = buf + len;
			*end = '\0';
			return end - buf;
		}
		len += n;
	}
	return -E2BIG;
}

int sys_read_text(struct sys *sys, int dirfd, const char *path, char *buf, size_t size)
{
	int fd, ret;

	if (size == 0)
		return -E2BIG;
	buf[0] = '\0';
	fd = sys_openat(sys, dirfd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fd;
	ret = read_line(sys, fd, buf, size);
	sys_close(sys, fd);
	if (ret < 0)
		buf[0] = '\0';
	return ret;
}

int sys_open_detached(struct sys *sys, const char *type)
{
	int fs_fd, dir_fd, ret;

	fs_fd = sys_fsopen(sys, type, FSOPEN_CLOEXEC);
	if (fs_fd < 0)
		return fs_fd;
	ret = sys_fsconfig(sys, fs_fd, FSCONFIG_CMD_CREATE);
	dir_fd = ret < 0 ? ret : sys_fsmount(sys, fs_fd, FSMOUNT_CLOEXEC, 0);
	sys_close(sys, fs_fd);
	return dir_fd;
}

bool sys_raise_memlock(struct sys *sys)
{
	const uint64_t unlimited[2] = { RLIM_INFINITY, RLIM_INFINITY };

	return sys_prlimit(sys, RLIMIT_MEMLOCK, unlimited, NULL) == 0;
}

uint64_t sys_monotonic_ns(void)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int sys_ms_until(uint64_t due_ns)
{
	const uint64_t hour_ns = 3600000000000ull, now = sys_monotonic_ns();

	if (now >= due_ns)
		return 0;
	return due_ns - now > hour_ns ? 3600000 : (due_ns - now + 999999) / 1000000;
}
