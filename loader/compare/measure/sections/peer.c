// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fork a process that is controlled through a pipe and reports through another. */
#include <errno.h>
#include <string.h>

#include "loader/compare/measure/sections/peer.h"
#include "loader/base/calls/processes.h"

/*
 * Enough under any load: attaching takes RCU grace periods, and locks that other processes hold
 * during theirs. No answer within this time is a result.
 */
#define ANSWER_MS 30000
#define EXIT_MS 5000	/* then the process is killed */

static int no_actor(struct error *err, int code, const char *what)
{
	error_set(err, code, "%s: %s", what, error_strerror(code));
	error_reason(err, "command/no-child");
	return error_hint(err, "ulimit -n and -u limit descriptors and processes");
}

/* In the peer: act and exit. It never returns. */
static void run_peer(struct peer *self, void (*act)(struct peer *self, void *arg), void *arg,
		   const int to[2], const int from[2])
{
	sys_close(self->sys, to[1]);
	sys_close(self->sys, from[0]);
	self->hear_fd = to[0];
	self->tell_fd = from[1];
	act(self, arg);
	sys_exit_group(self->sys, 0);
}

int peer_begin(struct peer *peer, struct sys *sys, void (*act)(struct peer *self, void *arg),
	       void *arg, struct error *err)
{
	int to[2], from[2], ret;

	*peer = (struct peer){ .sys = sys, .tell_fd = -1, .hear_fd = -1 };
	ret = sys_pipe(sys, to);
	if (ret < 0)
		return no_actor(err, -ret, "pipe2");
	ret = sys_pipe(sys, from);
	if (ret < 0) {
		sys_close(sys, to[0]);
		sys_close(sys, to[1]);
		return no_actor(err, -ret, "pipe2");
	}
	ret = sys_fork(sys, SIGCHLD);
	if (ret == 0)
		run_peer(peer, act, arg, to, from);
	sys_close(sys, to[0]);
	sys_close(sys, from[1]);
	peer->tell_fd = to[1];
	peer->hear_fd = from[0];
	if (ret < 0) {
		peer_end(peer, false);
		return no_actor(err, -ret, "clone");
	}
	peer->pid = ret;
	return 0;
}

int peer_receive(struct peer *peer, struct peer_message *message, struct error *err)
{
	struct pollfd fd = { .fd = peer->hear_fd, .events = POLLIN };
	ssize_t n;
	int ret;

	do
		ret = sys_poll(peer->sys, &fd, 1, ANSWER_MS);
	while (ret == -EINTR);
	n = ret > 0 ? sys_read(peer->sys, peer->hear_fd, message, sizeof(*message)) : ret;
	if (n == sizeof(*message)) {
		if (message->ret < 0 && err)
			*err = message->err;	/* static strings are at the same address in both */
		return message->ret;
	}
	error_set(err,
		  n < 0 ? -n :
		  ret	? EPIPE :
			  ETIMEDOUT,
		  "process %d %s", peer->pid,
		  n < 0 ? error_strerror(-n) :
		  ret	? "has exited without a report" :
			  "did not answer within 30 seconds");
	error_reason(err, "compare/no-answer");
	return error_hint(err, "it may have been stopped or killed: see dmesg");
}

int peer_take_fd(struct peer *peer, int fd, struct error *err)
{
	int pid_fd = sys_pidfd_open(peer->sys, peer->pid, 0), ret = pid_fd;

	if (pid_fd >= 0)
		ret = sys_pidfd_getfd(peer->sys, pid_fd, fd);
	if (ret < 0)
		error_set(err, -ret, "%s: %s", pid_fd < 0 ? "pidfd_open" : "pidfd_getfd",
			  error_strerror(-ret));
	sys_close_fd(peer->sys, &pid_fd);
	return ret;
}

int peer_send(struct peer *peer, char what)
{
	ssize_t n = sys_write(peer->sys, peer->tell_fd, &what, sizeof(what));

	return n < 0 ? n : 0;
}

/* When the process exits, its end of the pipe closes; after EXIT_MS it is killed. */
static void wait_for(struct peer *peer)
{
	struct pollfd fd = { .fd = peer->hear_fd, .events = POLLIN };
	struct peer_message message;
	siginfo_t info;
	int ret;

	do
		ret = sys_poll(peer->sys, &fd, 1, EXIT_MS);
	while (ret == -EINTR ||
	       (ret > 0 && sys_read(peer->sys, peer->hear_fd, &message, sizeof(message)) > 0));
	if (ret <= 0)
		sys_kill(peer->sys, peer->pid, SIGKILL);
	do
		ret = sys_waitid(peer->sys, peer->pid, &info, WEXITED);
	while (ret == -EINTR);
}

void peer_end(struct peer *peer, bool kill)
{
	if (peer->pid && kill)
		sys_kill(peer->sys, peer->pid, SIGKILL);
	sys_close_fd(peer->sys, &peer->tell_fd);
	if (peer->pid)
		wait_for(peer);
	sys_close_fd(peer->sys, &peer->hear_fd);
	peer->pid = 0;
}

void peer_report(struct peer *self, const struct peer_message *message)
{
	struct peer_message copy = *message;

	copy.err.log = NULL;
	copy.err.notes = NULL;
	copy.err.nr_notes = 0;
	sys_write(self->sys, self->tell_fd, &copy, sizeof(copy));
}

char peer_wait(struct peer *self)
{
	char what = 0;
	ssize_t n;

	do
		n = sys_read(self->sys, self->hear_fd, &what, sizeof(what));
	while (n == -EINTR);
	return n == sizeof(what) ? what : 0;
}
