// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test what happens when the attaching process exits or is killed while others hold descriptors. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/core/kernel/kernel.h"
#include "loader/base/calls/processes.h"

/* Another process, which attaches to this one's work. */
struct attacher {
	struct fixture *fx;
	struct fixture_scope where;
	char pin[64];		/* file where it pins its link; "": none */
	bool forks;		/* it forks a child that keeps the descriptors, and exits
				 * immediately */
};

static void attacher_init(struct attacher *r, struct fixture *fx)
{
	*r = (struct attacher){ .fx = fx, .where = { .target = fx->s->target } };
	if (r->where.target.tid == 0)
		r->where.target.tid = gettid();
}

/* Run in that child: keep the descriptors until the pipe is closed. */
static void hold(struct peer *self)
{
	peer_wait(self);
	sys_exit_group(self->sys, 0);
}

static void act(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct attacher *r = arg;
	struct attachment a;

	word.ret = fixture_attach(r->fx, &r->where, &a, &word.err);
	if (!word.ret && r->pin[0]) {
		word.ret = kernel_pin(self->sys, a.link_fd, r->pin);
		if (word.ret < 0)
			error_set(&word.err, -word.ret, "BPF_OBJ_PIN: %s",
				  error_strerror(-word.ret));
	}
	if (!word.ret && r->forks) {
		word.ret = sys_fork(self->sys, SIGCHLD);
		if (word.ret == 0)
			hold(self);
		if (word.ret < 0)
			error_set(&word.err, -word.ret, "clone: %s", error_strerror(-word.ret));
		word.ret = word.ret < 0 ? word.ret : 0;
	}
	word.number[0] = a.event_fd;
	word.number[1] = a.link_fd;
	peer_report(self, &word);
	if (!r->forks)
		peer_wait(self);
}

/*
 * Return true if the other process has attached and the program runs. Otherwise the process has
 * ended, and rows @row to @last are answered.
 */
static bool begin(struct attacher *r, struct peer *peer, struct peer_message *word,
		  struct section *s, unsigned int row, unsigned int last)
{
	struct error err = { 0 };
	int ret = peer_begin(peer, r->fx->sys, act, r, &err);
	int runs;

	if (!ret)
		ret = peer_receive(peer, word, &err);
	runs = ret < 0 ? 0 : fixture_starts_running(r->fx, &r->fx->prog);
	if (runs > 0)
		return true;
	peer_end(peer, true);
	if (ret < 0)
		section_rest(s, row, last, &err);
	else if (runs < 0)
		section_put_runs(s, row, runs, NULL);
	else
		section_put(s, row, "unknown", "it does not run when another process attaches");
	return false;
}

static void put_goes_on(struct fixture *fx, struct section *s, unsigned int row)
{
	section_put_runs(s, row, fixture_still_runs(fx, &fx->prog), "stops");
}

static void try_end(struct fixture *fx, struct section *s, unsigned int row, bool kill)
{
	struct peer_message word;
	struct peer peer;
	struct attacher r;

	attacher_init(&r, fx);
	if (!begin(&r, &peer, &word, s, row, row))
		return;
	peer_end(&peer, kill);
	section_put_runs(s, row, fixture_still_runs_late(fx, &fx->prog), "stops");
}

/* The copies inherited by a child keep the attachment alive. */
static void try_fork_holds(struct fixture *fx, struct section *s)
{
	struct peer_message word;
	struct peer peer;
	struct attacher r;
	siginfo_t info;
	int ret;

	attacher_init(&r, fx);
	r.forks = true;
	if (!begin(&r, &peer, &word, s, LIFE_FORK_HOLDS, LIFE_FORK_HOLDS))
		return;
	do
		ret = sys_waitid(fx->sys, peer.pid, &info, WEXITED | WNOWAIT);
	while (ret == -EINTR);
	put_goes_on(fx, s, LIFE_FORK_HOLDS);
	peer_end(&peer, false);
}

void life_ends(struct fixture *fx, struct section *s)
{
	try_end(fx, s, LIFE_EXIT, false);
	try_end(fx, s, LIFE_KILL, true);
	try_fork_holds(fx, s);
}

/* --- descriptors taken over by another process --- */

/* Take over descriptor number[@which] of its report, after which it exits. */
static void try_handed(struct fixture *fx, struct section *s, unsigned int row, int which)
{
	struct error err = { 0 };
	struct peer_message word;
	struct peer peer;
	struct attacher r;
	int fd;

	attacher_init(&r, fx);
	if (!begin(&r, &peer, &word, s, row, row))
		return;
	fd = peer_take_fd(&peer, word.number[which], &err);
	peer_end(&peer, false);
	if (fd < 0)
		section_refused(s, row, &err);
	else
		put_goes_on(fx, s, row);
	sys_close_fd(fx->sys, &fd);
}

void life_handed(struct fixture *fx, struct section *s)
{
	try_handed(fx, s, LIFE_EVENT_HANDED, 0);
	if (fx->cell->method->is_link)
		try_handed(fx, s, LIFE_LINK_HANDED, 1);
	else
		section_put(s, LIFE_LINK_HANDED, NO_LINK, NULL);
}

/* --- pins --- */

int life_error_no_bpffs(int code, struct error *err)
{
	error_set(err, -code, "a bpffs cannot be mounted: %s", error_strerror(-code));
	error_reason(err, "pin/no-bpffs");
	return error_hint(err, "this requires CONFIG_BPF_SYSCALL, and CAP_SYS_ADMIN in the user "
			       "namespace of the mounts");
}

/* The time until the program stops is only a detail, because it varies between runs. */
static void unpin(struct fixture *fx, struct section *s, const char *path)
{
	const uint64_t begin = sys_monotonic_ns();
	int ret = sys_unlinkat(fx->sys, path), runs;

	if (ret < 0) {
		section_put_runs(s, LIFE_UNPINNED, ret, NULL);
		return;
	}
	runs = fixture_still_runs_late(fx, &fx->prog);
	if (runs)
		section_put_runs(s, LIFE_UNPINNED, runs, NULL);
	else
		section_put(s, LIFE_UNPINNED, "stops",
			    "at most %.2f ms after the last name was removed",
			    (sys_monotonic_ns() - begin) / 1e6);
}

static void try_pinned(struct fixture *fx, struct section *s, unsigned int row, int dir_fd,
		       bool kill)
{
	struct peer_message word;
	struct peer peer;
	struct attacher r;

	attacher_init(&r, fx);
	snprintf(r.pin, sizeof(r.pin), "/proc/self/fd/%d/link", dir_fd);
	if (!begin(&r, &peer, &word, s, row, kill ? LIFE_UNPINNED : row))
		return;
	peer_end(&peer, kill);
	put_goes_on(fx, s, row);
	unpin(fx, s, r.pin);
}

void life_pinned(struct fixture *fx, struct section *s)
{
	struct error err = { 0 };
	int dir_fd;

	if (!fx->cell->method->is_link) {
		for (unsigned int row = LIFE_PINNED_EXIT; row <= LIFE_UNPINNED; row++)
			section_put(s, row, NO_LINK, NULL);
		return;
	}
	dir_fd = sys_open_detached(fx->sys, "bpf");
	if (dir_fd < 0) {
		life_error_no_bpffs(dir_fd, &err);
		section_rest(s, LIFE_PINNED_EXIT, LIFE_UNPINNED, &err);
		return;
	}
	try_pinned(fx, s, LIFE_PINNED_EXIT, dir_fd, false);
	try_pinned(fx, s, LIFE_PINNED_KILL, dir_fd, true);
	sys_close_fd(fx->sys, &dir_fd);
}
