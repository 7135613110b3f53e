// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Iterators: the kernel runs the program for each object (task, map ...) while the descriptor from
 * BPF_ITER_CREATE is read; read(2) returns what the program writes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/part.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/core/sys/refused.h"

#define BUFFER_SIZE (64u << 10)	/* longer lines are printed in pieces */

void session_print_iter(FILE *file, struct json_object *msg)
{
	message_print_line(file, message_get(msg, "line"));
}

static int print_line(struct session *s, const char *prog, const char *line, size_t len,
		      struct error *err)
{
	struct json_object *msg = message_new("iter");

	value_add_string(msg, "name", prog);
	value_add(msg, "line", value_string(VALUE_TEXT, line, len));
	return output_message_as(s->out, msg, session_print_iter, err);
}

/* Print the complete lines of @text; with @all also the rest. Return: number of bytes printed. */
static ssize_t print_lines(struct session *s, const char *prog, const char *text, size_t size,
			 bool all, struct error *err)
{
	size_t done = 0;

	while (done < size) {
		const char *end = memchr(text + done, '\n', size - done);
		const size_t len = end ? (size_t)(end - text) - done : size - done;
		int ret;

		if (!end && !all)
			break;
		ret = print_line(s, prog, text + done, len, err);
		if (ret)
			return ret;
		done += len + (end != NULL);
	}
	return done;
}

/* The session may end between reads, or while the reader of standard output is not reading. */
static bool is_over(const struct session *s)
{
	return s->stopped || s->ended;
}

static int read_all(struct session *s, int fd, const char *prog, struct error *err)
{
	char *buf = malloc(BUFFER_SIZE);
	size_t used = 0;
	ssize_t ret = buf ? 0 : error_set(err, ENOMEM, "no memory for its output");

	while (ret >= 0 && !is_over(s)) {
		ssize_t n = sys_read(s->sys, fd, buf + used, BUFFER_SIZE - used);

		/* The kernel visited many objects, but the program has not written anything yet. */
		if (n == -EAGAIN || n == -EINTR) {
			ret = session_check_end(s, err);
			continue;
		}
		if (n < 0) {
			error_set(err, -n, "read: %s", error_strerror(-n));
			ret = error_reason(err, "output/iterator");
			break;
		}
		used += n;
		ret = print_lines(s, prog, buf, used, !n || used == BUFFER_SIZE, err);
		if (ret > 0)
			memmove(buf, buf + ret, used -= ret);
		if (!n)
			break;
		if (ret >= 0)
			ret = session_check_end(s, err);
	}
	/* -EINTR: after a signal, the reader of standard output did not read in time. */
	if ((ret >= 0 || ret == -EINTR) && is_over(s))
		note(s->out, "prog '%s': its iterator was not read to the end", prog);
	free(buf);
	return ret < 0 ? ret : 0;
}

static int iterate(struct session *s, int link_fd, const char *prog, struct error *err)
{
	union bpf_attr attr;
	int fd, ret;

	memset(&attr, 0, sizeof(attr));
	attr.iter_create.link_fd = link_fd;
	fd = sys_bpf(s->sys, BPF_ITER_CREATE, &attr, ATTR_SIZE(iter_create));
	if (fd < 0) {
		error_set(err, -fd, "BPF_ITER_CREATE: %s", error_strerror(-fd));
		sys_error_bpf(err, BPF_ITER_CREATE, &attr, ATTR_SIZE(iter_create), -fd);
		return error_reason(err, "output/iterator");
	}
	ret = read_all(s, fd, prog, err);
	sys_close_fd(s->sys, &fd);
	return ret;
}

static bool is_iter(const struct plan_entry *entry)
{
	return entry->target && entry->target->kind == TARGET_ITER;
}

/* Return true if nothing else is attached, and neither -d nor a command determines the end. */
static bool is_all(const struct session *s)
{
	uint32_t i = 0;

	while (i < s->plan.nr && is_iter(&s->plan.list[i]))
		i++;
	return s->plan.nr && i == s->plan.nr && s->options->seconds < 0 && !s->child.pid;
}

/* Run each attached iterator once and print its output. */
static int iterate_all(struct session *s, struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && !is_over(s) && i < s->attachments.nr; i++) {
		const struct attachment *a = &s->attachments.list[i];
		const struct plan_entry *entry = &s->plan.list[a->prog];
		const char *prog;

		if (!is_iter(entry))
			continue;
		prog = s->load.object.progs[entry->prog].name;
		ret = iterate(s, a->link_fd, prog, err);
		if (ret) {
			error_where(err, "prog '%s'", prog);
			error_where(err, "%s", s->load.object.name);
		}
	}
	s->ended |= is_all(s);
	return ret;
}

const struct session_part part_iterators = {
	.at = { [STAGE_RUN] = iterate_all },
};
