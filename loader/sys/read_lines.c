// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks a text file through the seam, line by line, without holding all of it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "loader/event/event_internal.h"

/* A line of tracefs is at most 4 KB, one of /proc/kallsyms 600 bytes. */
#define TEXT_SIZE 8192

struct walk {
	char text[TEXT_SIZE + 1]; /* and a byte to end the last line with */
	size_t len; /* of a line that has begun, at the beginning of text */
	bool cut; /* the line was longer: what is left of it is passed over */
	int (*line)(void *arg, char *line);
	void *arg;
};

/* Hands on the line that ends at @end, which is not part of it. */
static int end_line(struct walk *w, char *begin, char *end)
{
	const bool cut = w->cut;

	w->cut = false;
	*end = '\0';
	return cut ? 0 : w->line(w->arg, begin);
}

/* Hands on the lines that are whole, and moves the beginning of the next to the front. */
static int take_lines(struct walk *w)
{
	char *begin = w->text, *end = w->text + w->len, *newline;
	int ret = 0;

	while (ret == 0 && (newline = memchr(begin, '\n', end - begin))) {
		ret = end_line(w, begin, newline);
		begin = newline + 1;
	}
	w->len = end - begin;
	memmove(w->text, begin, w->len);
	if (ret == 0 && w->len == TEXT_SIZE) {
		ret = end_line(w, w->text, w->text + w->len);
		w->cut = true;
		w->len = 0;
	}
	return ret;
}

int event_each_line(struct sys *sys, int fd, int (*line)(void *arg, char *line), void *arg)
{
	struct walk w;
	int ret = 0;

	w.len = 0;
	w.cut = false;
	w.line = line;
	w.arg = arg;
	while (ret == 0) {
		ssize_t n = sys_read(sys, fd, w.text + w.len, TEXT_SIZE - w.len);

		if (n < 0)
			return n;
		if (n == 0)
			return w.len && !w.cut ? end_line(&w, w.text, w.text + w.len) : 0;
		w.len += n;
		ret = take_lines(&w);
	}
	return ret;
}

int event_each_line_of(struct sys *sys, int dirfd, const char *path,
		       int (*line)(void *arg, char *line), void *arg)
{
	int fd = sys_openat(sys, dirfd, path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return fd;
	ret = event_each_line(sys, fd, line, arg);
	sys_close(sys, fd);
	return ret;
}
