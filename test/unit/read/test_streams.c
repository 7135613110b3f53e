// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The streams of programs: lines that come whole and in parts, from a kernel that has them or not. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

#include "loader/sessions/printk_text/program_lines.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

/* A kernel with one program, whose streams have @text, passed on in pieces of at most @piece bytes. */
struct kernel {
	struct sys sys;
	const char *text[3];	/* by stream */
	size_t piece;
	int ret;		/* if not 0, of each call */
	unsigned int calls;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;
	const union bpf_attr *attr = (const void *)arg[1];
	const char **text = &k->text[attr->prog_stream_read.stream_id];
	size_t n = *text ? strlen(*text) : 0;

	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_int_eq(arg[0], BPF_PROG_STREAM_READ_BY_FD);
	ck_assert_uint_eq(attr->prog_stream_read.prog_fd, 5);
	k->calls++;
	if (k->ret)
		return k->ret;
	n = n < attr->prog_stream_read.stream_buf_len ? n : attr->prog_stream_read.stream_buf_len;
	if (n) {
		memcpy((void *)(uintptr_t)attr->prog_stream_read.stream_buf, *text, n);
		*text += n;
	}
	return n;
}

static int read_all(struct kernel *k, struct printed *p, struct error *err)
{
	struct object_prog prog = { .name = "p" };
	struct kernel_prog progs = { .fd = 5 };
	const struct bpf_object object = { .progs = &prog, .nr_progs = 1 };
	const struct kernel_object kernel = { .object = &object, .progs = &progs };

	k->sys.enter = enter;
	return streams_read(&k->sys, program_lines(&p->out), &kernel, err);
}

TEST(each_line_is_a_message)
{
	struct kernel k = { .text = { NULL, "a\n\nb", "fault\n" } };
	struct printed p;

	printed_begin(&p, "json");
	ck_assert_int_eq(read_all(&k, &p, NULL), 0);
	ck_assert_str_eq(printed_text(&p),
		"{\"type\":\"stream\",\"prog\":\"p\",\"stream\":\"stdout\",\"text\":\"a\"}\n"
		"{\"type\":\"stream\",\"prog\":\"p\",\"stream\":\"stdout\",\"text\":\"\"}\n"
		"{\"type\":\"stream\",\"prog\":\"p\",\"stream\":\"stdout\",\"text\":\"b\"}\n"
		"{\"type\":\"stream\",\"prog\":\"p\",\"stream\":\"stderr\",\"text\":\"fault\"}\n");
	printed_end(&p);
}

/* More than fits into one read: no line is cut, unless it is longer than the buffer. */
TEST(lines_are_not_cut_where_a_read_ends)
{
	static char text[40000];
	struct kernel k = { .text = { NULL, text, NULL } };
	unsigned int lines = 0;
	struct printed p;

	for (size_t i = 0; i + 8 < sizeof(text); i += 7)
		memcpy(text + i, "abcdef\n", 7);
	printed_begin(&p, "text");
	ck_assert_int_eq(read_all(&k, &p, NULL), 0);
	for (const char *line = printed_text(&p); *line; line += strlen("p: abcdef\n"), lines++)
		ck_assert_msg(!strncmp(line, "p: abcdef\n", strlen("p: abcdef\n")), "%.20s", line);
	ck_assert_uint_eq(lines, strlen(text) / 7);
	printed_end(&p);
}

TEST(a_line_without_an_end_is_printed_in_parts)
{
	static char text[40000];
	struct kernel k = { .text = { NULL, NULL, text } };
	size_t n = 0;
	struct printed p;

	memset(text, 'x', sizeof(text) - 1);
	printed_begin(&p, "text");
	ck_assert_int_eq(read_all(&k, &p, NULL), 0);
	for (const char *c = printed_text(&p); *c; c++)
		n += *c == 'x';
	ck_assert_uint_eq(n, sizeof(text) - 1);
	ck_assert_ptr_nonnull(strstr(p.text, "p (stderr): x"));
	printed_end(&p);
}

TEST(a_failure_is_reported)
{
	struct kernel k = { .ret = -ENOMEM };
	struct error err = { 0 };
	struct printed p;

	printed_begin(&p, "json");
	ck_assert_int_eq(read_all(&k, &p, &err), -ENOMEM);
	ck_assert_str_eq(err.where, "prog 'p'");
	ck_assert_str_eq(err.reason, "output/stream");
	ck_assert_str_eq(printed_text(&p), "");
	printed_end(&p);
}
