// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs join and leave a uprobe while another program there, which may sleep, is running. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/probed.h"

#define LOOKS 30	/* at the closing thread, 10 ms apart */

/* The probed function. */
static __attribute__((noinline, noclone)) void sleeping_target(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
}

static void *call_target(void *arg)
{
	sleeping_target();
	return arg;
}

/* ".data.waiting" of sleeps.bpf.c. */
struct waiting {
	uint64_t begun, go;
};

struct running {
	struct regress *t;
	int map_fd;
};

static bool has_begun(void *arg)
{
	const struct running *r = arg;
	const uint32_t key = 0;
	struct waiting w;

	regress_ok(r->t, map_lookup(r->t->sys, r->map_fd, &key, &w), NULL, "variables");
	return w.begun;
}

static void let_go(struct regress *t, int map_fd)
{
	const struct waiting w = { .begun = 1, .go = 1 };
	const uint32_t key = 0;

	regress_ok(t, map_update(t->sys, map_fd, &key, &w, BPF_ANY), NULL, "variables");
}

struct closing {
	struct sys *sys;
	int link_fd;
	atomic_bool closed;
};

static void *close_link(void *arg)
{
	struct closing *c = arg;

	sys_close_fd(c->sys, &c->link_fd);
	atomic_store(&c->closed, true);
	return NULL;
}

/* A kernel that waits has not closed it, however long the test looks. */
static bool is_closed(struct closing *c)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (int i = 0; i < LOOKS && !atomic_load(&c->closed); i++)
		nanosleep(&pause, NULL);
	return atomic_load(&c->closed);
}

/* --- two programs on one probe --- */

struct two {
	struct regress_object o;
	struct happen h;	/* of the one that waits */
	struct attachment second;
	int prog_fd, map_fd;
	pthread_t caller;
};

/* "callbacks are not allowed in non-JITed programs": s390x, at least to 7.2, does not compile it. */
static bool not_compiled(int ret)
{
#ifdef __s390x__
	return ret == -EINVAL;
#else
	(void)ret;
	return false;
#endif
}

static void begin(struct regress *t, struct two *w)
{
	struct error err = { 0 };
	const int ret = regress_try_load(t, &w->o, "sleeps", "waits", &err);

	if (not_compiled(ret))
		regress_skip(t, "the kernel does not compile a program that calls bpf_loop()");
	lacks_ok(t, ret, &err, "load");
	w->map_fd = regress_map(t, &w->o, ".data.waiting");
	happen_open_uprobe(t, &w->h, BY_LINK, sleeping_target, false);
	happen_bind(&w->h, &w->o, "waits", 0);
	w->prog_fd = regress_ok(t, kind_program(t, BPF_PROG_TYPE_KPROBE, 1), NULL, "a program");
	w->second = (struct attachment){ .event_fd = -1, .link_fd = -1 };
	w->second.event_fd = regress_ok(t, event_open(t->sys, &w->h.spec, &w->h.e.attr,
						      &w->h.s.target, -1, &err), &err, "event");
}

static void join(struct regress *t, struct two *w)
{
	struct error err = { 0 };

	regress_ok(t, w->h.cell->method->bind(t->sys, &w->second, w->prog_fd, 0, &err), &err,
		   "binding");
}

/* From here on the first program is running, until let_go(). */
static void call(struct regress *t, struct two *w)
{
	struct running running = { t, w->map_fd };

	regress_expect(t, !pthread_create(&w->caller, NULL, call_target, NULL), "no thread");
	regress_expect(t, regress_until(has_begun, &running), "the program does not run");
}

static void end(struct regress *t, struct two *w)
{
	sys_close_fd(t->sys, &w->second.link_fd);
	sys_close_fd(t->sys, &w->second.event_fd);
	sys_close_fd(t->sys, &w->prog_fd);
	happen_close(&w->h);
	regress_unload(t, &w->o);
}

/*
 * The list of programs is read under RCU-tasks-trace, and a program that does not sleep is freed
 * after a grace period of RCU, so that detaching has to wait for the list's readers
 * (ef1b808e3b7c, in 6.12.5). This test has a reference to the program and never lets it be freed.
 */
static void leaves(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "waits|does not wait" }, { LINUX(6, 12), "waits" },
	};
	struct closing closing = { .sys = t->sys };
	pthread_t closer;
	struct two w;
	bool early;

	begin(t, &w);
	join(t, &w);
	call(t, &w);
	closing.link_fd = w.second.link_fd;
	w.second.link_fd = -1;
	regress_expect(t, !pthread_create(&closer, NULL, close_link, &closing), "no thread");
	early = is_closed(&closing);
	let_go(t, w.map_fd);
	pthread_join(w.caller, NULL);
	pthread_join(closer, NULL);
	regress_answer(t, "", early ? "does not wait" : "waits", rows, NR(rows));
	end(t, &w);
}

/*
 * The list is replaced by a longer one, and the one that is being read has to stay in memory:
 * where it does not, the kernel's own checks report it (KASAN).
 */
static void joins(struct regress *t)
{
	struct two w;

	begin(t, &w);
	call(t, &w);
	join(t, &w);
	let_go(t, w.map_fd);
	pthread_join(w.caller, NULL);
	end(t, &w);
}

/*
 * A kprobe interrupts the kernel where sleeping is forbidden, so that the kernel refuses such a
 * program.
 */
static void refused(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	struct error err = { 0 };
	struct regress_object o;
	struct happen h;
	int ret;

	lacks_ok(t, regress_try_load(t, &o, "sleeps", "sleeps", &err), &err, "load");
	happen_open(t, &h, BY_LINK, NULL, "kprobe:" PROBED_GETPPID);
	ret = compare_bind(&h.s, h.cell, &h.e, regress_prog(t, &o, "sleeps"), NULL);
	regress_answer(t, "", regress_errno(ret < 0 ? ret : 0), rows, NR(rows));
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "uprobe: a program leaves after those that run there, and may sleep", leaves, NULL, 0 },
	{ "uprobe: a program joins one that is running there, and may sleep", joins, NULL, 0 },
	{ "kprobe: a program that may sleep is EINVAL", refused, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_sleeping = {
	"sleeping", "programs that may sleep, beside one that is attached or detached", tests,
	NULL, __FILE__
};
