// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the lines of a text file, through struct sys. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "loader/base/text/each_line.h"

/* Lines in tracefs are at most 4 KB long, those in /proc/kallsyms 600 bytes. */
#define TEXT_SIZE 8192

struct line_reader {
	char text[TEXT_SIZE + 1];	/* plus a byte to terminate the last line */
	size_t len;			/* length of the incomplete line at the start of text */
	bool cut;			/* skip the rest of an overlong line */
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
