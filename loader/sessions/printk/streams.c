// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the streams of programs: BPF_PROG_STREAM_READ_BY_FD, Linux 6.17. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/sessions/printk/printk.h"

#define BUFFER_SIZE 16384
#define READS_MAX 64	/* of a stream in one go: a program may write as fast as it is read */

static const char *const names[] = {
	[BPF_STREAM_STDOUT] = "stdout", [BPF_STREAM_STDERR] = "stderr",
};

/* A stream of a program, as read so far. */
struct stream {
	int prog_fd;		/* borrowed, like the name */
	const char *prog;
	uint32_t id;
	char text[BUFFER_SIZE];
	size_t size;		/* length of the text not passed on yet */
};

/* Read as much as fits after the text. Return the number of bytes, or -errno. */
static int read_more(struct sys *sys, struct stream *s)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_stream_read.stream_buf = attr_pointer(s->text + s->size);
	attr.prog_stream_read.stream_buf_len = sizeof(s->text) - s->size;
	attr.prog_stream_read.stream_id = s->id;
	attr.prog_stream_read.prog_fd = s->prog_fd;
	return sys_bpf(sys, BPF_PROG_STREAM_READ_BY_FD, &attr, ATTR_SIZE(prog_stream_read));
}

/* Pass on the complete lines of the text, or all of it if @last. */
static int pass_on(struct stream *s, struct line_sink sink, bool last, struct error *err)
{
	struct program_line line = { .prog = s->prog, .stream = names[s->id] };
	size_t used = 0;
	int ret = 0;

	while (!ret && used < s->size) {
		const char *end = memchr(s->text + used, '\n', s->size - used);

		/* A line that fills the buffer is passed on without waiting for its end. */
		if (!end && !last && used)
			break;
		line.text = s->text + used;
		line.size = end ? (size_t)(end - line.text) + 1 : s->size - used;
		ret = sink.line(sink.arg, &line, err);
		used += line.size;
	}
	s->size -= used;
	memmove(s->text, s->text + used, s->size);
	return ret;
}

static int failed(int code, uint32_t stream, struct error *err)
{
	error_set(err, code, "BPF_PROG_STREAM_READ_BY_FD of %s: %s", names[stream],
		  error_strerror(code));
	return error_reason(err, "output/stream");
}

/* A read that fills the buffer may end inside a line; the rest follows with the next read. */
static int read_lines(struct sys *sys, struct stream *s, struct line_sink sink, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 1; !ret; i++) {
		const int room = sizeof(s->text) - s->size, n = read_more(sys, s);
		const bool last = n < room || i == READS_MAX;

		if (n < 0)
			return failed(-n, s->id, err);
		s->size += n;
		ret = pass_on(s, sink, last, err);
		if (last)
			break;
	}
	return ret;
}

int streams_read(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
		 struct error *err)
{
	struct stream s;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < k->object->nr_progs; i++) {
		s.prog_fd = k->progs[i].fd;
		s.prog = k->object->progs[i].name;
		s.size = 0;
		for (s.id = BPF_STREAM_STDOUT; !ret && s.id <= BPF_STREAM_STDERR; s.id++)
			if (s.prog_fd >= 0)
				ret = read_lines(sys, &s, sink, err);
		if (ret < 0)
			error_where(err, "prog '%s'", s.prog);
	}
	return ret;
}
