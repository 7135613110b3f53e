// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proxy side: make the call in each question, and answer with its result. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "loader/base/calls/credentials.h"
#include "loader/base/calls/processes.h"
#include "loader/base/calls/sockets.h"
#include "loader/base/proxy/proxy_internal.h"

ssize_t proxy_send(struct sys *sys, int fd, const void *data, size_t size, int passed)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { (void *)data, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *header = (struct cmsghdr *)control;

	if (passed >= 0) {
		*header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
					    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(header), &passed, sizeof(int));
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
	}
	return sys_sendmsg(sys, fd, &msg, MSG_NOSIGNAL);
}

ssize_t proxy_receive(struct sys *sys, int fd, void *data, size_t size, int *passed)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { data, size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	const struct cmsghdr *header = (const struct cmsghdr *)control;
	const ssize_t ret = sys_recvmsg(sys, fd, &msg, MSG_CMSG_CLOEXEC);

	*passed = -1;
	if (ret >= 0 && msg.msg_controllen >= CMSG_LEN(sizeof(int)) &&
	    header->cmsg_type == SCM_RIGHTS)
		memcpy(passed, CMSG_DATA(header), sizeof(int));
	return ret;
}

/* Read to the end: /proc files return a page at a time. */
static long read_all(struct sys *sys, const struct proxy_question *q, unsigned char *out)
{
	ssize_t ret = 0;
	uint32_t at;

	for (at = 0; at < q->out_size; at += ret) {
		ret = q->nr == __NR_read ?
		      sys_read(sys, q->arg[0], out + at, q->out_size - at) :
		      sys_pread(sys, q->arg[0], out + at, q->out_size - at, q->arg[3] + at);
		if (ret <= 0)
			break;
	}
	return at ? at : ret;
}

static long make_call(struct sys *sys, struct proxy_question *q, struct proxy_answer *answer)
{
	unsigned long arg[6];

	if (q->nr == __NR_read || q->nr == __NR_pread64)
		return read_all(sys, q, answer->out);
	for (unsigned int i = 0; i < 6; i++)
		arg[i] = q->arg[i];
	if (q->in_arg >= 0)
		arg[q->in_arg] = (unsigned long)q->in;
	if (q->out_arg >= 0)
		arg[q->out_arg] = (unsigned long)answer->out;
	if (q->nr == __NR_perf_event_open) {	/* its attr is read and written */
		struct perf_event_attr *attr = (void *)answer->out;

		memcpy(attr, q->in, q->out_size);
		if (q->in_size > q->out_size)
			attr->config1 = (unsigned long)q->in + q->out_size;
	}
	return sys->enter(sys, q->nr, arg);
}

static void serve(struct sys *sys, int fd, struct proxy *p)
{
	struct proxy_question *q = &p->messages->question;
	struct proxy_answer *answer = &p->messages->answer;
	int passed, opened;

	while (proxy_receive(sys, fd, q, sizeof(*q), &passed) > 0) {
		if (passed >= 0)	/* the leader of an event group */
			q->arg[3] = passed;
		answer->ret = make_call(sys, q, answer);
		opened = q->nr == __NR_openat || q->nr == __NR_perf_event_open ? answer->ret : -1;
		if (opened >= 0 && q->keep >= 0) {
			answer->ret = sys_dup3(sys, opened, q->keep, O_CLOEXEC);
			sys_close_fd(sys, &opened);
		}
		if (proxy_send(sys, fd, answer, offsetof(struct proxy_answer, out) + q->out_size,
				opened) < 0)
			return;
		sys_close_fd(sys, &opened);
		sys_close_fd(sys, &passed);
	}
}

void proxy_run(int fd, pid_t parent, void *proxy)
{
	struct sys *sys = sys_linux();

	sys_prctl(sys, PR_SET_NAME, (unsigned long)"pload-proxy");
	if (!aide_leave(sys, &fd, parent, 0))
		serve(sys, fd, proxy);
	for (;;)
		sys_exit_group(sys, 0);
}
