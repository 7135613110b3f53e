// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Session side: pass calls that may block to the proxy, and wait for the answer with a limit. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "elf/bytes.h"
#include "loader/base/text/each_line.h"
#include "loader/base/calls/processes.h"
#include "loader/base/proxy/proxy_internal.h"
#include "loader/core/sys/read.h"

#define STRING_MAX 4096u
#define CHARGED_NS 10000000ull	/* free for each process: a normal one may take this long */

/* --- questions --- */

/* The memory of a call: which argument is a path, which is written to, and its size. */
static const struct shape {
	long nr;
	int8_t path_arg, out_arg, size_arg;	/* -1: none */
	uint32_t size;				/* without size_arg */
} shapes[] = {
	{ __NR_openat, 1, -1, -1, 0 },
	{ __NR_readlinkat, 1, 2, 3, 0 },
	{ __NR_statfs, 0, 1, -1, sizeof(struct statfs) },
	{ __NR_read, -1, 1, 2, 0 },
	{ __NR_pread64, -1, 1, 2, 0 },
	{ __NR_getdents64, -1, 1, 2, 0 },
	{ __NR_fstat, -1, 1, -1, sizeof(struct stat) },
	{ __NR_close, -1, -1, -1, 0 },
	{ __NR_perf_event_open, -1, 0, -1, 0 },
};

/* "6": kprobe and uprobe events have a string in attr.config1. */
static void read_types(struct proxy *p)
{
	static const char *const paths[] = { "/sys/bus/event_source/devices/kprobe/type",
					     "/sys/bus/event_source/devices/uprobe/type" };
	char text[16];

	for (unsigned int i = 0; i < 2; i++)
		if (sys_read_text(p->next, AT_FDCWD, paths[i], text, sizeof(text)) > 0)
			p->probe_types[i] = strtoul(text, NULL, 10);
	p->has_types = true;
}

/* Fill in the attr and its string. */
static int take_attr(struct proxy *p, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const void *)arg[0];
	struct proxy_question *q = &p->messages->question;
	const char *name = (const char *)(unsigned long)attr->config1;

	if (!p->has_types)
		read_types(p);
	if (attr->size > STRING_MAX)
		return -E2BIG;
	q->in_size = q->out_size = attr->size ? attr->size : PERF_ATTR_SIZE_VER0;
	memcpy(q->in, attr, q->in_size);
	if (name && attr->type && (attr->type == p->probe_types[0] ||
				   attr->type == p->probe_types[1])) {
		const size_t size = strnlen(name, STRING_MAX) + 1;

		memcpy(q->in + q->in_size, name, size);
		q->in_size += size;
	}
	return 0;
}

static int take_question(struct proxy *p, long nr, const unsigned long arg[6])
{
	struct proxy_question *q = &p->messages->question;
	const struct shape *shape = shapes;

	while (shape->nr != nr)
		shape++;
	memset(q, 0, offsetof(struct proxy_question, in));
	q->nr = nr;
	q->keep = -1;
	for (unsigned int i = 0; i < 6; i++)
		q->arg[i] = arg[i];
	q->in_arg = shape->path_arg;
	q->out_arg = shape->out_arg;
	if (nr == __NR_perf_event_open)
		return take_attr(p, arg);
	if (shape->path_arg >= 0) {
		const char *path = (const char *)arg[shape->path_arg];

		q->in_size = strnlen(path, STRING_MAX) + 1;
		if (q->in_size > STRING_MAX)
			return -ENAMETOOLONG;
		memcpy(q->in, path, q->in_size);
	}
	q->out_size = shape->size_arg >= 0 ? arg[shape->size_arg] : shape->size;
	if (q->out_size > PROXY_BYTES || (shape->size_arg >= 0 &&
					   arg[shape->size_arg] > PROXY_BYTES))
		q->out_size = PROXY_BYTES;
	if (shape->size_arg >= 0)
		q->arg[shape->size_arg] = q->out_size;
	return 0;
}

/* --- files open in the proxy --- */

/* Return the number of a placeholder descriptor for a file of @pid. */
static int reserve(struct proxy *p, pid_t pid)
{
	int fd = p->next->enter(p->next, __NR_eventfd2, SYS_ARGS(0, O_CLOEXEC));

	while (fd >= 0 && (unsigned int)fd >= p->nr_owners) {
		pid_t *grown = array_grow(p->owners, p->nr_owners, sizeof(*grown));

		if (!grown) {
			sys_close_fd(p->next, &fd);
			return -ENOMEM;
		}
		p->owners = grown;
		p->owners[p->nr_owners++] = 0;
	}
	if (fd >= 0)
		p->owners[fd] = pid;
	return fd;
}

static void release(struct proxy *p, int fd)
{
	p->owners[fd] = 0;
	sys_close(p->next, fd);
}

/* --- time --- */

static int take_user(void *arg, char *line)
{
	uint32_t *user = arg;

	return sscanf(line, "Uid: %*u %u", user) == 1;
}

/* Return the purse of the user who owns the process. */
static struct purse *purse_of(struct proxy *p, pid_t pid)
{
	uint32_t user = UINT32_MAX;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	sys_each_line_of(p->next, AT_FDCWD, path, take_user, &user);
	return patience_purse(&p->patience, user, sys_monotonic_ns());
}

/*
 * Set the time limit of a call about @pid. The user is not looked up until some user has been
 * unusually slow.
 */
static int set_limit(struct proxy *p, pid_t pid, uint64_t now, struct aide_limit *limit)
{
	static const struct purse full = { .left_ns = PATIENCE_USER_NS };

	limit->put_off_ns = 0;
	if (p->pid != pid) {
		p->pid = pid;
		p->spent_ns = 0;
	}
	return patience_limit(&p->patience, p->is_charged ? purse_of(p, pid) : &full,
			      PROXY_CALL_NS, now, &limit->until_ns) ? -ETIME : 0;
}

static void count(struct proxy *p, uint64_t from_ns, const struct aide_limit *limit)
{
	p->spent_ns += aide_time(&p->aide, from_ns, limit);
	if (p->spent_ns < CHARGED_NS)
		return;
	patience_count(&p->patience, purse_of(p, p->pid), p->spent_ns, sys_monotonic_ns());
	p->is_charged = true;
	p->spent_ns = 0;
}

/* Signals that end a session are blocked: they stay pending until the session reads them. */
static void watch_signals(struct proxy *p)
{
	const uint64_t set = 1ull << (SIGHUP - 1) | 1ull << (SIGINT - 1) | 1ull << (SIGTERM - 1);

	if (p->signal_fd >= 0)
		return;
	p->signal_fd = sys_signalfd(p->next, set, SFD_CLOEXEC | SFD_NONBLOCK);
	p->patience.signal_fd = p->signal_fd;
}

/* --- answers --- */

/* Give it priority: the session does nothing while the proxy runs. */
static int start(struct proxy *p)
{
	int ret;

	if (p->aide.pid)
		return 0;
	watch_signals(p);
	ret = aide_start(&p->aide, proxy_run, p);
	if (!ret)
		aide_hurry(&p->aide);
	return ret;
}

/* Send the question and wait for the answer. Return 0, or -errno after killing the proxy. */
static int exchange(struct proxy *p, int passed, int *opened, struct aide_limit *limit)
{
	const struct proxy_question *q = &p->messages->question;
	struct proxy_answer *answer = &p->messages->answer;
	const size_t size = offsetof(struct proxy_question, in) + q->in_size;
	ssize_t ret = start(p);

	if (!ret)
		ret = proxy_send(p->next, p->aide.fd, q, size, passed);
	if (ret >= 0)
		ret = aide_wait(&p->aide, limit);
	if (!ret)
		ret = proxy_receive(p->next, p->aide.fd, answer, sizeof(*answer), opened);
	if (ret > 0)
		return 0;
	aide_kill(&p->aide);
	return ret ? ret : -EPIPE;
}

/* Have the proxy make the call of the question. */
static long ask(struct proxy *p, pid_t pid, int passed, int *opened)
{
	const uint64_t now = sys_monotonic_ns();
	struct aide_limit limit;
	int ret = set_limit(p, pid, now, &limit);

	if (ret)
		return ret;
	ret = exchange(p, passed, opened, &limit);
	count(p, now, &limit);
	/* EBADF: the proxy that held the file was killed. */
	return ret || p->messages->answer.ret == -EBADF ? -ETIME : p->messages->answer.ret;
}

/* Return the passed descriptor. If there was no room for it, the kernel dropped it. */
static long take_passed(long ret, int opened)
{
	return ret < 0 ? ret : opened < 0 ? -EMFILE : opened;
}

static long open_file(struct proxy *p, pid_t pid)
{
	struct proxy_question *q = &p->messages->question;
	int opened = -1, fd;
	long ret;

	if (strstr((const char *)q->in, "/ns/")) {	/* its file system belongs to no user */
		ret = ask(p, pid, -1, &opened);
		return take_passed(ret, opened);
	}
	fd = reserve(p, pid);
	if (fd < 0)
		return fd;
	q->keep = fd;
	ret = ask(p, pid, -1, &opened);
	if (ret < 0)
		release(p, fd);
	return ret;
}

static long open_event(struct proxy *p, pid_t pid, const unsigned long arg[6])
{
	int opened = -1;
	const long ret = ask(p, pid, (int)arg[3], &opened);

	if (ret != -ETIME)
		memcpy((void *)arg[0], p->messages->answer.out, p->messages->question.out_size);
	return take_passed(ret, opened);
}

static long proxied(struct proxy *p, pid_t pid, long nr, const unsigned long arg[6])
{
	const struct proxy_question *q;
	int opened = -1;
	long ret;

	if (!p->messages)
		p->messages = malloc(sizeof(*p->messages));
	if (!p->messages)
		return -ENOMEM;
	q = &p->messages->question;
	ret = take_question(p, nr, arg);
	if (ret)
		return ret;
	if (nr == __NR_perf_event_open)
		return open_event(p, pid, arg);
	if (nr == __NR_openat)
		return open_file(p, pid);
	ret = ask(p, pid, -1, &opened);
	if (nr == __NR_close)
		release(p, arg[0]);
	else if (ret >= 0 && q->out_arg >= 0)
		memcpy((void *)arg[q->out_arg], p->messages->answer.out,
		       nr == __NR_fstat || nr == __NR_statfs ? q->out_size : (size_t)ret);
	return ret;
}

/* Its PID may be reused from now on. */
static void forget_child(struct proxy *p, const siginfo_t *info)
{
	for (unsigned int i = 0; info && i < PROXY_CHILDREN; i++)
		if (p->children[i] == info->si_pid)
			p->children[i] = 0;
}

static long proxy_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct proxy *p = (struct proxy *)sys;
	const pid_t pid = proxy_may_wait(p, nr, arg);
	long ret;

	if (pid)
		return proxied(p, pid, nr, arg);
	ret = p->next->enter(p->next, nr, arg);
	if (nr == __NR_clone && ret > 0)
		p->children[p->next_child++ % PROXY_CHILDREN] = ret;
	if (nr == __NR_waitid && !ret && !(arg[3] & WNOWAIT))
		forget_child(p, (const siginfo_t *)arg[2]);
	return ret;
}

static void proxy_free(struct sys *sys)
{
	struct proxy *p = (struct proxy *)sys;

	aide_free(&p->aide);
	sys_close_fd(p->next, &p->signal_fd);
	free(p->owners);
	free(p->messages);
	free(p);
}

struct sys *sys_proxy(struct sys *next)
{
	struct proxy *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->sys.enter = proxy_enter;
	p->sys.free = proxy_free;
	p->sys.patience = &p->patience;
	p->next = next;
	p->signal_fd = p->patience.signal_fd = -1;
	p->aide = (struct aide){ .sys = next, .patience = &p->patience, .fd = -1 };
	return &p->sys;
}
