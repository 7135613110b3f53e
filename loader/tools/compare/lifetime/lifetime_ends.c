// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When the process ends that has attached: by itself or killed, and while others hold on. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/tools/compare/lifetime/lifetime.h"
#include "loader/event/event_internal.h"
#include "loader/kernel/kernel.h"

/* Another process that attaches, to what this one does. */
struct role {
	struct stage *st;
	struct stage_where where;
	char pin[64];		/* where it pins its link; "": it does not */
	bool forks;		/* it leaves a child that holds what it has, and ends at once */
};

static void role_init(struct role *r, struct stage *st)
{
	*r = (struct role){ .st = st, .where = { .target = st->s->target } };
	if (r->where.target.tid == 0)
		r->where.target.tid = gettid();
}

/* Nothing but to hold the descriptors, until the pipe says that it is over. */
static void hold(struct actor *self)
{
	actor_wait(self);
	sys_exit_group(self->sys, 0);
}

static void act(struct actor *self, void *arg)
{
	struct actor_word word = { 0 };
	struct role *r = arg;
	struct attachment a;

	word.ret = stage_attach(r->st, &r->where, &a, &word.err);
	if (!word.ret && r->pin[0]) {
		word.ret = kernel_pin(self->sys, a.link_fd, r->pin);
		if (word.ret < 0)
			error_set(&word.err, -word.ret, "BPF_OBJ_PIN: %s",
				  error_strerror(-word.ret));
	}
	if (!word.ret && r->forks) {
		word.ret = sys_fork(self->sys);
		if (word.ret == 0)
			hold(self);
		if (word.ret < 0)
			error_set(&word.err, -word.ret, "clone: %s", error_strerror(-word.ret));
		word.ret = word.ret < 0 ? word.ret : 0;
	}
	word.number[0] = a.event_fd;
	word.number[1] = a.link_fd;
	actor_say(self, &word);
	if (!r->forks)
		actor_wait(self);
}

/*
 * It has attached, and its program runs here. Else the answer is given for the rows from @row to
 * @last, and it has ended.
 */
static bool begin(struct role *r, struct actor *actor, struct actor_word *word, struct section *s,
		  unsigned int row, unsigned int last)
{
	struct error err = { 0 };
	int ret = actor_begin(actor, r->st->sys, act, r, &err);
	int runs;

	if (!ret)
		ret = actor_hear(actor, word, &err);
	runs = ret < 0 ? 0 : stage_begins(r->st, &r->st->prog);
	if (runs > 0)
		return true;
	actor_end(actor, true);
	if (ret < 0)
		section_rest(s, row, last, &err);
	else if (runs < 0)
		stage_put_runs(s, row, runs, NULL);
	else
		section_put(s, row, "unknown", "attached by another process it does not run at all");
	return false;
}

static void put_goes_on(struct stage *st, struct section *s, unsigned int row)
{
	stage_put_runs(s, row, stage_goes_on(st, &st->prog), "stops");
}

static void try_end(struct stage *st, struct section *s, unsigned int row, bool kill)
{
	struct actor_word word;
	struct actor actor;
	struct role r;

	role_init(&r, st);
	if (!begin(&r, &actor, &word, s, row, row))
		return;
	actor_end(&actor, kill);
	stage_put_runs(s, row, stage_ends(st, &st->prog), "stops");
}

/* Its copies of the descriptors are as good as the first. */
static void try_fork_holds(struct stage *st, struct section *s)
{
	struct actor_word word;
	struct actor actor;
	struct role r;
	siginfo_t info;
	int ret;

	role_init(&r, st);
	r.forks = true;
	if (!begin(&r, &actor, &word, s, LIFE_FORK_HOLDS, LIFE_FORK_HOLDS))
		return;
	do
		ret = sys_waitid(st->sys, actor.pid, &info, WEXITED | WNOWAIT);
	while (ret == -EINTR);
	put_goes_on(st, s, LIFE_FORK_HOLDS);
	actor_end(&actor, false);
}

void life_ends(struct stage *st, struct section *s)
{
	try_end(st, s, LIFE_EXIT, false);
	try_end(st, s, LIFE_KILL, true);
	try_fork_holds(st, s);
}

/* --- descriptors that another process gets --- */

/* A copy of descriptor @fd of the process. The fd (owned) or -errno. */
static int take_fd(struct actor *actor, int fd, struct error *err)
{
	int pid_fd = sys_pidfd_open(actor->sys, actor->pid, 0), ret = pid_fd;

	if (pid_fd >= 0)
		ret = sys_pidfd_getfd(actor->sys, pid_fd, fd);
	if (ret < 0)
		error_set(err, -ret, "%s: %s", pid_fd < 0 ? "pidfd_open" : "pidfd_getfd",
			  error_strerror(-ret));
	sys_close_fd(actor->sys, &pid_fd);
	return ret;
}

/* Handed over is descriptor @which of what it says; then it ends. */
static void try_handed(struct stage *st, struct section *s, unsigned int row, int which)
{
	struct error err = { 0 };
	struct actor_word word;
	struct actor actor;
	struct role r;
	int fd;

	role_init(&r, st);
	if (!begin(&r, &actor, &word, s, row, row))
		return;
	fd = take_fd(&actor, word.number[which], &err);
	actor_end(&actor, false);
	if (fd < 0)
		section_refused(s, row, &err);
	else
		put_goes_on(st, s, row);
	sys_close_fd(st->sys, &fd);
}

void life_handed(struct stage *st, struct section *s)
{
	try_handed(st, s, LIFE_EVENT_HANDED, 0);
	if (st->cell->method.is_link)
		try_handed(st, s, LIFE_LINK_HANDED, 1);
	else
		section_put(s, LIFE_LINK_HANDED, NO_LINK, NULL);
}

/* --- pins --- */

int life_no_bpffs(int code, struct error *err)
{
	error_set(err, -code, "a bpffs cannot be made: %s", error_strerror(-code));
	error_reason(err, "pin/no-bpffs");
	return error_hint(err, "it takes CONFIG_BPF_SYSCALL, and CAP_SYS_ADMIN in the user "
			       "namespace of the mounts");
}

/* How long it took until nothing ran any more is for the reader: no two are the same. */
static void unpin(struct stage *st, struct section *s, const char *path)
{
	const uint64_t begin = sys_monotonic_ns();
	int ret = sys_unlinkat(st->sys, path), runs;

	if (ret < 0) {
		stage_put_runs(s, LIFE_UNPINNED, ret, NULL);
		return;
	}
	runs = stage_ends(st, &st->prog);
	if (runs)
		stage_put_runs(s, LIFE_UNPINNED, runs, NULL);
	else
		section_put(s, LIFE_UNPINNED, "stops", "at most %.2f ms after the last name was gone",
			    (sys_monotonic_ns() - begin) / 1e6);
}

static void try_pinned(struct stage *st, struct section *s, unsigned int row, int dir_fd, bool kill)
{
	struct actor_word word;
	struct actor actor;
	struct role r;

	role_init(&r, st);
	snprintf(r.pin, sizeof(r.pin), "/proc/self/fd/%d/link", dir_fd);
	if (!begin(&r, &actor, &word, s, row, kill ? LIFE_UNPINNED : row))
		return;
	actor_end(&actor, kill);
	put_goes_on(st, s, row);
	unpin(st, s, r.pin);
}

void life_pinned(struct stage *st, struct section *s)
{
	struct error err = { 0 };
	int dir_fd;

	if (!st->cell->method.is_link) {
		for (unsigned int row = LIFE_PINNED_EXIT; row <= LIFE_UNPINNED; row++)
			section_put(s, row, NO_LINK, NULL);
		return;
	}
	dir_fd = event_open_detached(st->sys, "bpf");
	if (dir_fd < 0) {
		life_no_bpffs(dir_fd, &err);
		section_rest(s, LIFE_PINNED_EXIT, LIFE_UNPINNED, &err);
		return;
	}
	try_pinned(st, s, LIFE_PINNED_EXIT, dir_fd, false);
	try_pinned(st, s, LIFE_PINNED_KILL, dir_fd, true);
	sys_close_fd(st->sys, &dir_fd);
}
