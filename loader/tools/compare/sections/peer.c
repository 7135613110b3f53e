// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Another process that takes part: a copy of this one at the other end of two pipes. */
#include <errno.h>
#include <string.h>

#include "loader/tools/compare/sections/peer.h"

/*
 * A machine under any load answers by then; passing it is an answer of its own. Attaching takes
 * grace periods, and locks that others hold over theirs.
 */
#define PATIENCE_MS 30000
#define END_PATIENCE_MS 5000	/* then it is killed, which does no harm */

static int no_actor(struct error *err, int code, const char *what)
{
	error_set(err, code, "%s: %s", what, error_strerror(code));
	error_reason(err, "command/no-child");
	return error_hint(err, "ulimit -n and -u limit descriptors and processes");
}

/* As the copy: a trace that it prints is ours, too. It never returns. */
static void become(struct peer *self, void (*act)(struct peer *self, void *arg), void *arg,
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
	ret = sys_fork(sys);
	if (ret == 0)
		become(peer, act, arg, to, from);
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

int peer_receive(struct peer *peer, struct peer_message *word, struct error *err)
{
	struct pollfd fd = { .fd = peer->hear_fd, .events = POLLIN };
	ssize_t n;
	int ret;

	do
		ret = sys_poll(peer->sys, &fd, 1, PATIENCE_MS);
	while (ret == -EINTR);
	n = ret > 0 ? sys_read(peer->sys, peer->hear_fd, word, sizeof(*word)) : ret;
	if (n == sizeof(*word)) {
		if (word->ret < 0 && err)
			*err = word->err;	/* its reason is a string of ours, too */
		return word->ret;
	}
	error_set(err,
		  n < 0 ? -n :
		  ret	? EPIPE :
			  ETIMEDOUT,
		  "process %d %s", peer->pid,
		  n < 0 ? error_strerror(-n) :
		  ret	? "has ended without a word" :
			  "has not answered in 30 seconds");
	error_reason(err, "compare/no-answer");
	return error_hint(err, "did somebody stop or kill it? dmesg may say more");
}

int peer_send(struct peer *peer, char what)
{
	ssize_t n = sys_write(peer->sys, peer->tell_fd, &what, sizeof(what));

	return n < 0 ? n : 0;
}

/* Its end of the pipe is closed by its end, which is waited for a bounded time, and then forced. */
static void wait_for(struct peer *peer)
{
	struct pollfd fd = { .fd = peer->hear_fd, .events = POLLIN };
	struct peer_message word;
	siginfo_t info;
	int ret;

	do
		ret = sys_poll(peer->sys, &fd, 1, END_PATIENCE_MS);
	while (ret == -EINTR ||
	       (ret > 0 && sys_read(peer->sys, peer->hear_fd, &word, sizeof(word)) > 0));
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

void peer_report(struct peer *self, const struct peer_message *word)
{
	struct peer_message said = *word;

	said.err.log = NULL;
	sys_write(self->sys, self->tell_fd, &said, sizeof(said));
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
