// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the streams of programs: BPF_PROG_STREAM_READ_BY_FD, Linux 6.17. */
#include <errno.h>
#include <string.h>

#include "loader/kernel/attr.h"
#include "loader/print/message.h"
#include "loader/read/printk/printk.h"
#include "loader/value/value.h"

#define BUFFER_SIZE 16384
#define READS_MAX 64	/* of one stream in a row: a program may write as fast as it is read */

static const char *const names[] = {
	[BPF_STREAM_STDOUT] = "stdout", [BPF_STREAM_STDERR] = "stderr",
};

static int read_stream(struct sys *sys, int prog_fd, uint32_t stream, char *text, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_stream_read.stream_buf = attr_pointer(text);
	attr.prog_stream_read.stream_buf_len = size;
	attr.prog_stream_read.stream_id = stream;
	attr.prog_stream_read.prog_fd = prog_fd;
	return sys_bpf(sys, BPF_PROG_STREAM_READ_BY_FD, &attr, ATTR_SIZE(prog_stream_read));
}

static int print_line(struct output *out, const char *prog, uint32_t stream, const char *text,
		      size_t size, struct error *err)
{
	struct json_object *msg = message_new("stream");

	value_add_string(msg, "prog", prog);
	value_add_string(msg, "stream", names[stream]);
	return printk_line(out, msg, text, size, err);
}

/* Print the whole lines of @text. *@used: their bytes, all of @text if @last. */
static int print_lines(struct output *out, const char *prog, uint32_t stream, const char *text,
		       size_t size, bool last, size_t *used, struct error *err)
{
	int ret = 0;

	*used = 0;
	while (!ret && *used < size) {
		const char *end = memchr(text + *used, '\n', size - *used);
		const size_t n = end ? (size_t)(end - text) + 1 - *used : size - *used;

		/* A line that fills the buffer has no end to wait for. */
		if (!end && !last && *used)
			break;
		ret = print_line(out, prog, stream, text + *used, n, err);
		*used += n;
	}
	return ret;
}

static int failed(int code, uint32_t stream, struct error *err)
{
	error_set(err, code, "BPF_PROG_STREAM_READ_BY_FD of %s: %s", names[stream],
		  error_strerror(code));
	return error_reason(err, "print/stream");
}

/* A read that fills the buffer may end within a line: its rest comes with the next one. */
static int read_lines(struct sys *sys, struct output *out, int prog_fd, const char *prog,
		      uint32_t stream, struct error *err)
{
	char text[BUFFER_SIZE];
	size_t kept = 0, used;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < READS_MAX; i++) {
		const int n = read_stream(sys, prog_fd, stream, text + kept, sizeof(text) - kept);
		const bool last = n < (int)(sizeof(text) - kept) || i + 1 == READS_MAX;

		if (n < 0)
			return failed(-n, stream, err);
		kept += n;
		ret = print_lines(out, prog, stream, text, kept, last, &used, err);
		kept -= used;
		memmove(text, text + used, kept);
		if (last)
			break;
	}
	return ret;
}

int streams_read(struct sys *sys, struct output *out, const struct kernel_object *k,
		 struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < k->object->nr_progs; i++) {
		for (uint32_t id = BPF_STREAM_STDOUT; !ret && id <= BPF_STREAM_STDERR; id++)
			if (k->progs[i].fd >= 0)
				ret = read_lines(sys, out, k->progs[i].fd,
						 k->object->progs[i].name, id, err);
		if (ret < 0)
			error_where(err, "prog '%s'", k->object->progs[i].name);
	}
	return ret;
}
