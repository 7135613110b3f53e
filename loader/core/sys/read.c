// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the entries of a directory and the lines of a text file, through struct sys. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "loader/core/sys/read.h"

/* --- entries of a directory --- */

/*
 * getdents64(2) fills a buffer with records, one after another
 * (include/linux/dirent.h, struct linux_dirent64):
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
 * Establishes for each record, before its name is used:
 * - its fixed part and all of d_reclen lie in the buffer;
 * - d_reclen is larger than the fixed part, so that each step moves on;
 * - the name ends with a NUL inside of the record.
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

/* --- lines of a file --- */

/* A line of tracefs is at most 4 KB, one of /proc/kallsyms 600 bytes. */
#define TEXT_SIZE 8192

struct line_reader {
	char text[TEXT_SIZE + 1];	/* and a byte to terminate the last line */
	size_t len;			/* length of the incomplete line at the start of text */
	bool cut;			/* skip the rest of a line that was too long */
	int (*line)(void *arg, char *line);
	void *arg;
};

/* Pass on the line that ends before @end. */
static int end_line(struct line_reader *r, char *begin, char *end)
{
	const bool cut = r->cut;

	r->cut = false;
	*end = '\0';
	return cut ? 0 : r->line(r->arg, begin);
}

/* Pass on the complete lines and move the incomplete one to the start of the buffer. */
static int take_lines(struct line_reader *r)
{
	char *begin = r->text, *end = r->text + r->len, *newline;
	int ret = 0;

	while (ret == 0 && (newline = memchr(begin, '\n', end - begin))) {
		ret = end_line(r, begin, newline);
		begin = newline + 1;
	}
	r->len = end - begin;
	memmove(r->text, begin, r->len);
	if (ret == 0 && r->len == TEXT_SIZE) {
		ret = end_line(r, r->text, r->text + r->len);
		r->cut = true;
		r->len = 0;
	}
	return ret;
}

int sys_each_line(struct sys *sys, int fd, int (*line)(void *arg, char *line), void *arg)
{
	struct line_reader r;
	int ret = 0;

	r.len = 0;
	r.cut = false;
	r.line = line;
	r.arg = arg;
	while (ret == 0) {
		ssize_t n = sys_read(sys, fd, r.text + r.len, TEXT_SIZE - r.len);

		if (n < 0)
			return n;
		if (n == 0)
			return r.len && !r.cut ? end_line(&r, r.text, r.text + r.len) : 0;
		r.len += n;
		ret = take_lines(&r);
	}
	return ret;
}

int sys_each_line_of(struct sys *sys, int dirfd, const char *path,
		     int (*line)(void *arg, char *line), void *arg)
{
	int fd = sys_openat(sys, dirfd, path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return fd;
	ret = sys_each_line(sys, fd, line, arg);
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

void sys_unescape(char *text)
{
	char *to = text;

	for (; *text && *text != ' '; text++, to++) {
		*to = *text;
		if (text[0] != '\\' || strspn(text + 1, "01234567") < 3)
			continue;
		*to = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
		text += 3;
	}
	*to = '\0';
}
