// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read a text file, plain or gzip-compressed, line by line without storing all of it.
 *
 *	text:  [ read already | begin ... lines ... end | free ]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "loader/objects/externs/externs_internal.h"

/* The longest config value is a kernel command line; the limits guard against endless input. */
#define LINE_MAX_SIZE	(16u << 10)
#define TOTAL_MAX	(256u << 20)
#define TEXT_SIZE	(4u * LINE_MAX_SIZE)

struct gzip_lines {
	struct sys *sys;	/* borrowed */
	int fd;			/* owned */
	bool gzip, ended;
	z_stream stream;	/* owned, with gzip */
	unsigned char in[16 << 10];	/* bytes of the file */
	char text[TEXT_SIZE + 1];	/* plus a byte to terminate the last line */
	size_t begin, end;	/* unread bytes of text */
	uint64_t total;
	uint32_t nr;
};

static int read_more(struct gzip_lines *l, void *to, size_t size, struct error *err)
{
	ssize_t n = sys_read(l->sys, l->fd, to, size);

	return n < 0 ? error_set(err, -n, "read: %s", error_strerror(-n)) : n;
}

/* Inflate until some text is available, or the end is reached. */
static int inflate_more(struct gzip_lines *l, struct error *err)
{
	int ret, n;

	l->stream.next_out = (unsigned char *)l->text + l->end;
	l->stream.avail_out = TEXT_SIZE - l->end;
	do {
		if (!l->stream.avail_in) {
			n = read_more(l, l->in, sizeof(l->in), err);
			if (n < 0)
				return n;
			if (!n)
				return error_set(err, EBADMSG, "the compressed data is truncated");
			l->stream.next_in = l->in;
			l->stream.avail_in = n;
		}
		ret = inflate(&l->stream, Z_NO_FLUSH);
	} while (ret == Z_OK && (char *)l->stream.next_out == l->text + l->end);
	if (ret != Z_OK && ret != Z_STREAM_END)
		return error_set(err, ret == Z_MEM_ERROR ? ENOMEM : EBADMSG,
				 "the compressed data is damaged: %s",
				 l->stream.msg ? l->stream.msg : zError(ret));
	l->ended = ret == Z_STREAM_END;
	return (char *)l->stream.next_out - (l->text + l->end);
}

static int fill(struct gzip_lines *l, struct error *err)
{
	int n;

	memmove(l->text, l->text + l->begin, l->end - l->begin);
	l->end -= l->begin;
	l->begin = 0;
	n = l->gzip ? inflate_more(l, err) :
		      read_more(l, l->text + l->end, TEXT_SIZE - l->end, err);
	if (n < 0)
		return n;
	l->ended |= !n;
	l->end += n;
	l->total += n;
	if (l->total > TOTAL_MAX)
		return error_set(err, EFBIG, "contains more than %u bytes of text", TOTAL_MAX);
	return 0;
}

int gzip_lines_next(struct gzip_lines *l, char **line, struct error *err)
{
	char *newline;
	int ret;

	for (;;) {
		*line = l->text + l->begin;
		newline = memchr(*line, '\n', l->end - l->begin);
		if (newline || l->ended)
			break;
		if (l->end - l->begin >= LINE_MAX_SIZE)
			return error_set(err, EBADMSG,
					 "line %u has more than %u characters: "
					 "it is not text",
					 l->nr + 1, LINE_MAX_SIZE);
		ret = fill(l, err);
		if (ret)
			return ret;
	}
	if (!newline && l->begin == l->end)
		return 0;
	/* The last line may lack a newline: text has a spare byte for it. */
	if (!newline)
		newline = l->text + l->end++;
	*newline = '\0';
	l->begin = newline + 1 - l->text;
	l->nr++;
	return 1;
}

uint32_t gzip_lines_number(const struct gzip_lines *l)
{
	return l->nr;
}

/* Detect gzip by its magic number, the first two bytes: 1f 8b. */
static int detect(struct gzip_lines *l, struct error *err)
{
	int n = read_more(l, l->in, sizeof(l->in), err);

	if (n < 0)
		return n;
	l->gzip = n >= 2 && l->in[0] == 0x1f && l->in[1] == 0x8b;
	l->ended = !n;
	if (!l->gzip) {
		memcpy(l->text, l->in, n);
		l->end = n;
		return 0;
	}
	l->stream.next_in = l->in;
	l->stream.avail_in = n;
	/* 16: with a gzip header; MAX_WBITS: the largest window. */
	if (inflateInit2(&l->stream, 16 + MAX_WBITS) != Z_OK) {
		l->gzip = false;
		return error_set(err, ENOMEM, "no memory to decompress it");
	}
	return 0;
}

struct gzip_lines *gzip_lines_open(struct sys *sys, const char *path, struct error *err)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = fd;
	struct gzip_lines *l = NULL;

	if (fd < 0)
		error_set(err, -fd, "%s", error_strerror(-fd));
	else
		l = calloc(1, sizeof(*l));
	if (l) {
		l->sys = sys;
		l->fd = fd;
		ret = detect(l, err);
	} else if (fd >= 0) {
		ret = error_set(err, ENOMEM, "no memory to read it");
		sys_close_fd(sys, &fd);
	}
	if (ret >= 0)
		return l;
	gzip_lines_close(l);
	return NULL;
}

void gzip_lines_close(struct gzip_lines *l)
{
	if (!l)
		return;
	if (l->gzip)
		inflateEnd(&l->stream);
	sys_close_fd(l->sys, &l->fd);
	free(l);
}
