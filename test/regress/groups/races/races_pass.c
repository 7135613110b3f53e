// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Descriptors passed to another process: the attachment lasts until the last of them is closed. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

#define UNITS 20
#define MOST 64		/* descriptors that are sent */

struct row {
	const struct stress_kind *kind;
	const char *method;
};

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(MOST * sizeof(int))];
};

static int send_fds(int socket, const int *fds, unsigned int nr)
{
	char byte = 'f';
	struct iovec data = { &byte, 1 };
	union control control = { 0 };
	struct msghdr msg = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = CMSG_SPACE(nr * sizeof(int)) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(nr * sizeof(int));
	memcpy(CMSG_DATA(c), fds, nr * sizeof(int));
	return sendmsg(socket, &msg, 0) == 1 ? 0 : -errno;
}

static int receive_fds(int socket)
{
	char byte;
	struct iovec data = { &byte, 1 };
	union control control;
	struct msghdr msg = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
			      .msg_controllen = sizeof(control) };

	return recvmsg(socket, &msg, MSG_CMSG_CLOEXEC) == 1 ? 0 : -errno;
}

/*
 * Sends the descriptors that keep the program attached: the links, or the events where there are
 * none.
 */
static void send_all(struct regress *t, const struct stress *s, int socket)
{
	unsigned int nr = 0;
	int fds[MOST];

	for (; nr < s->set.nr && nr < MOST; nr++)
		fds[nr] = s->set.list[nr].link_fd >= 0 ? s->set.list[nr].link_fd :
							 s->set.list[nr].event_fd;
	regress_ok(t, send_fds(socket, fds, nr), NULL, "sendmsg");
}

static void expect_runs(struct regress *t, struct stress *s, bool runs, const char *when)
{
	const uint64_t before = stress_runs(s);
	uint64_t more;

	for (int i = 0; i < UNITS; i++)
		s->work->unit();
	more = stress_runs(s) - before;
	regress_expect(t, runs ? more >= UNITS || (s->set.nr > MOST && more) : more == 0,
		       "%llu of %u runs %s", (unsigned long long)more, runs ? UNITS : 0, when);
}

/* --- in the queue of a socket that nobody has read --- */

static void waits_in_socket(struct regress *t)
{
	const struct row *row = t->data;
	struct stress s;
	int sockets[2];

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);
	regress_expect(t, !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets),
		       "socketpair: %s", strerror(errno));
	send_all(t, &s, sockets[0]);
	stress_close(&s);
	expect_runs(t, &s, true, "while its descriptor is in a socket");
	close(sockets[0]);
	expect_runs(t, &s, true, "when the sender's end is closed");
	close(sockets[1]);
	expect_runs(t, &s, false, "when the socket is gone");
	stress_end(&s);
}

/* --- with another process --- */

struct receiver {
	int sockets[2];
	struct stress *s;
};

static void receive(struct peer *self, void *arg)
{
	struct receiver *r = arg;
	struct peer_message word = { 0 };

	close(r->sockets[0]);
	word.ret = receive_fds(r->sockets[1]);
	if (word.ret < 0)
		error_set(&word.err, -word.ret, "recvmsg: %s", error_strerror(-word.ret));
	peer_report(self, &word);
	peer_wait(self);
}

static void is_kept(struct regress *t, bool kill)
{
	const struct row *row = t->data;
	struct peer_message word;
	struct error err = { 0 };
	struct receiver r;
	struct peer peer;
	struct stress s;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	regress_expect(t, !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, r.sockets),
		       "socketpair: %s", strerror(errno));
	r.s = &s;
	regress_ok(t, peer_begin(&peer, t->sys, receive, &r, &err), &err, "another process");
	close(r.sockets[1]);
	stress_attach(&s);
	send_all(t, &s, r.sockets[0]);
	regress_ok(t, peer_receive(&peer, &word, &err), &err, "receiving");
	close(r.sockets[0]);
	stress_close(&s);
	expect_runs(t, &s, true, "while another process has its descriptor");
	peer_end(&peer, kill);
	expect_runs(t, &s, false, "when that process has ended");
	stress_end(&s);
}

static void is_kept_until_exit(struct regress *t)
{
	is_kept(t, false);
}

static void is_kept_until_kill(struct regress *t)
{
	is_kept(t, true);
}

void races_pass(struct regress_list *list)
{
	static const struct row rows[] = {
		{ &stress_kinds[STRESS_FAULTS], "ioctl" }, { &stress_kinds[STRESS_FAULTS], "link" },
		{ &stress_kinds[STRESS_TRACEPOINT], "ioctl" },
		{ &stress_kinds[STRESS_TRACEPOINT], "link" },
		{ &stress_kinds[STRESS_UPROBE], "pmu" }, { &stress_kinds[STRESS_UPROBE], "link" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		const struct row *row = &rows[i];

		regress_add(list, waits_in_socket, row, "%s by %s, its descriptor in a socket's "
			    "queue keeps it running", row->kind->name, row->method);
		regress_add(list, is_kept_until_exit, row, "%s by %s, its descriptor given to "
			    "another process keeps it until that exits", row->kind->name,
			    row->method);
		regress_add(list, is_kept_until_kill, row, "%s by %s, its descriptor given to "
			    "another process keeps it until SIGKILL", row->kind->name, row->method);
	}
}
