// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lines of a text file, one after the other, through the seam. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "loader/event/scope.h"

#define LINE_ROOM 4096

/* What has been read of a file and not been handed on. */
struct lines {
	char text[LINE_ROOM];
	size_t used;
	bool too_long;	/* the begin of the line is lost */
};

/* Hands on the whole lines; the rest moves to the front. */
static int take_lines(struct lines *lines, int (*line)(void *arg, char *text), void *arg)
{
	char *begin = lines->text, *end;
	int ret = 0;

	while (!ret && (end = memchr(begin, '\n', lines->used - (begin - lines->text)))) {
		*end = '\0';
		if (!lines->too_long)
			ret = line(arg, begin);
		lines->too_long = false;
		begin = end + 1;
	}
	lines->used -= begin - lines->text;
	memmove(lines->text, begin, lines->used);
	if (lines->used == sizeof(lines->text)) {
		lines->too_long = true;
		lines->used = 0;
	}
	return ret;
}

int scope_each_line(struct sys *sys, const char *path, int (*line)(void *arg, char *text), void *arg)
{
	struct lines lines = { .used = 0 };
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), ret = 0;
	ssize_t n = 1;

	if (fd < 0)
		return fd;
	while (!ret && n > 0) {
		n = sys_read(sys, fd, lines.text + lines.used, sizeof(lines.text) - lines.used);
		if (n <= 0)
			break;
		lines.used += n;
		ret = take_lines(&lines, line, arg);
	}
	sys_close(sys, fd);
	return ret ? ret : n < 0 ? n : 0;
}
