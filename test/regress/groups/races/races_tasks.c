// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tasks that begin and end during attaching, or while a process holds the attachment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/compare/measure/lifetime/lifetime.h"
#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

#define ROUNDS 6
#define UNITS 20
#define CHILDREN 12

struct row {
	const struct stress_kind *kind;
	const char *method;
};

static void begin(struct regress *t, struct peer *peer, void (*act)(struct peer *, void *),
		  void *arg)
{
	struct error err = { 0 };

	regress_ok(t, peer_begin(peer, t->sys, act, arg, &err), &err, "another process");
}

/* --- the task that is watched ends --- */

static void wait_and_end(struct peer *self, void *arg)
{
	(void)arg;
	peer_wait(self);
}

/* Whenever the task ends, attaching either succeeds or reports that there is no such task. */
static void attach_to_ending(struct regress *t)
{
	const struct row *row = t->data;
	unsigned int attached = 0;
	struct stress s;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);	/* that it can be done at all */
	stress_close(&s);
	for (int round = 0; round < ROUNDS; round++) {
		char pid[16];
		const struct event_scope_options asked = { .processes = pid };
		struct error err = { 0 };
		struct peer peer;
		int ret;

		event_scope_free(t->sys, &s.scope);
		begin(t, &peer, wait_and_end, NULL);
		snprintf(pid, sizeof(pid), "%d", peer.pid);
		if (round % 2)
			peer_send(&peer, 'x');
		ret = event_scope_init(t->sys, &s.scope, &asked, &err);
		if (!(round % 2))
			peer_send(&peer, 'x');
		if (ret >= 0)
			ret = stress_try_attach(&s, &err);
		attached += ret >= 0;
		if (ret != -ESRCH)
			stress_ok(&s, ret, &err, "attaching to a process that ends");
		peer_end(&peer, false);
		stress_close(&s);
		error_clear(&err);
	}
	regress_note(t, "attached in %u of %u rounds", attached, ROUNDS);
	stress_end(&s);
}

/* --- the attaching process ends --- */

static void attach_and_wait(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct stress *s = arg;

	word.ret = stress_try_attach(s, &word.err);
	if (word.ret > 0)
		word.ret = 0;
	peer_report(self, &word);
	peer_wait(self);
}

static void owner_ends(struct regress *t, bool kill)
{
	const struct row *row = t->data;
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;
	struct stress s;
	struct firing f;
	uint64_t before;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	begin(t, &peer, attach_and_wait, &s);
	stress_ok(&s, peer_receive(&peer, &word, &err), &err, "attaching in another process");
	firing_begin(t, &f, s.work);
	firing_each(&f, UNITS);
	regress_expect(t, stress_runs(&s) >= UNITS * f.nr, "it does not run for its owner");
	firing_always(&f);
	peer_end(&peer, kill);
	stress_quiet(&s, &f);
	firing_end(&f);
	before = stress_runs(&s);
	/* Nothing of the ended process prevents the next attachment. */
	stress_attach(&s);
	for (int i = 0; i < UNITS; i++)
		s.work->unit();
	regress_expect(t, stress_runs(&s) >= before + UNITS, "it does not run when attached again");
	/*
	 * Lines in tracefs of a killed process are removed by the next one that writes a line,
	 * which is this one.
	 */
	stress_end(&s);
}

static void owner_exits(struct regress *t)
{
	owner_ends(t, false);
}

static void owner_is_killed(struct regress *t)
{
	owner_ends(t, true);
}

/* --- children --- */

/* It works, and so do two children of its own, and theirs. */
static void work_and_fork(const struct firing_work *work, int depth)
{
	for (int i = 0; depth > 0 && i < 2; i++)
		if (fork() == 0) {
			work_and_fork(work, depth - 1);
			_exit(0);
		}
	for (int i = 0; i < UNITS; i++)
		work->unit();
	while (wait(NULL) > 0)
		;
}

static void watch_self(struct regress *t, struct stress *s, const struct row *row, bool inherit)
{
	char self[16];
	const struct event_scope_options asked = { .processes = self, .no_inherit = !inherit };

	snprintf(self, sizeof(self), "%d", getpid());
	stress_begin(t, s, t->sys, row->kind, row->method, &asked);
	stress_attach(s);
}

/* 2 + 4 + 8 of them beside this one. */
static void fork_storm(struct regress *t, bool inherit)
{
	const struct row *row = t->data;
	unsigned long long all, wanted = UNITS * (inherit ? 15 : 1);
	struct stress s;

	watch_self(t, &s, row, inherit);
	work_and_fork(s.work, 3);
	all = stress_all(&s);
	regress_expect(t, row->kind->exact ? all == wanted : all >= wanted,
		       "%llu of %llu runs in all processes", all, wanted);
	for (int i = 0; i < UNITS; i++)
		s.work->unit();
	all = stress_all(&s) - all;
	regress_expect(t, row->kind->exact ? all == UNITS : all >= UNITS,
		       "%llu of %u runs once they have ended", all, UNITS);
	stress_end(&s);
}

static void fork_storm_inherits(struct regress *t)
{
	fork_storm(t, true);
}

static void fork_storm_without(struct regress *t)
{
	fork_storm(t, false);
}

/* The child closes its copies of the descriptors, which would keep the events open. */
static void close_and_wait(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };

	stress_close(arg);
	peer_report(self, &word);
	peer_wait(self);
}

/*
 * The attachment is closed while children exist that have inherited the event, and ends for them,
 * too.
 */
static void close_before_children(struct regress *t)
{
	const struct row *row = t->data;
	struct peer peers[CHILDREN];
	struct peer_message word;
	struct error err = { 0 };
	unsigned long long all;
	struct stress s;

	watch_self(t, &s, row, true);
	for (int i = 0; i < CHILDREN; i++) {
		begin(t, &peers[i], close_and_wait, &s);
		regress_ok(t, peer_receive(&peers[i], &word, &err), &err, "a child");
	}
	stress_close(&s);
	all = stress_all(&s);
	for (int i = 0; i < CHILDREN; i++) {
		/*
		 * Later children have copies of the pipe, so that closing it ends no child: this
		 * byte does.
		 */
		peer_send(&peers[i], 'x');
		peer_end(&peers[i], i % 2);
	}
	for (int i = 0; i < UNITS; i++)
		s.work->unit();
	regress_expect(t, stress_all(&s) == all, "it runs though it is closed");
	stress_end(&s);
}

/* --- threads --- */

struct churn {
	pthread_t id;
	atomic_bool stop;
	atomic_uint started;
};

static void *do_nothing(void *arg)
{
	return arg;
}

static void *make_threads(void *arg)
{
	struct churn *c = arg;

	while (!c->stop) {
		pthread_t id;

		if (!pthread_create(&id, NULL, do_nothing, NULL)) {
			pthread_join(id, NULL);
			c->started++;
		}
	}
	return NULL;
}

static void *do_work(void *arg)
{
	const struct firing_work *work = arg;

	for (int i = 0; i < UNITS; i++)
		work->unit();
	return NULL;
}

static bool some_started(void *arg)
{
	return ((struct churn *)arg)->started > 0;
}

/*
 * A thread that exists all the time, and one that starts afterwards, have the event once: their
 * own, or an inherited one. The test claims nothing about threads that start between opening and
 * binding: they inherit an event without a program, and when one of them follows another on a CPU,
 * the kernel may swap their equal contexts instead of switching (kernel/events/core.c,
 * context_equiv()).
 */
static void attach_among_threads(struct regress *t)
{
	const struct row *row = t->data;

	for (int round = 0; round < ROUNDS / 2; round++) {
		struct churn c = { .stop = false };
		const unsigned int wanted = 2 * UNITS;
		unsigned long long runs;
		struct stress s;
		pthread_t id;

		regress_expect(t, !pthread_create(&c.id, NULL, make_threads, &c), "no thread");
		regress_expect(t, regress_until(some_started, &c), "no threads are started");
		watch_self(t, &s, row, true);
		c.stop = true;
		pthread_join(c.id, NULL);
		regress_expect(t, !pthread_create(&id, NULL, do_work, (void *)s.work), "no thread");
		pthread_join(id, NULL);
		do_work((void *)s.work);
		runs = stress_runs(&s);
		regress_expect(t, row->kind->exact ? runs == wanted : runs >= wanted,
			       "%llu of %u runs in two threads", runs, wanted);
		stress_end(&s);
	}
}

/* --- */

static void add(struct regress_list *list, regress_run *run, const struct row *rows, size_t nr,
		const char *what)
{
	for (size_t i = 0; i < nr; i++)
		regress_add(list, run, &rows[i], "%s by %s, %s", rows[i].kind->name, rows[i].method,
			    what);
}

void races_tasks(struct regress_list *list)
{
	/* Counted: an event for each thread; traced: one. */
	static const struct row counted[] = {
		{ &stress_kinds[STRESS_FAULTS], "ioctl" }, { &stress_kinds[STRESS_FAULTS], "link" },
		{ &stress_kinds[STRESS_BREAKPOINT], "ioctl" },
		{ &stress_kinds[STRESS_BREAKPOINT], "link" },
	}, all[] = {
		{ &stress_kinds[STRESS_FAULTS], "ioctl" }, { &stress_kinds[STRESS_FAULTS], "link" },
		{ &stress_kinds[STRESS_BREAKPOINT], "link" },
		{ &stress_kinds[STRESS_TRACEPOINT], "ioctl" },
		{ &stress_kinds[STRESS_TRACEPOINT], "link" },
		{ &stress_kinds[STRESS_UPROBE], "ioctl" }, { &stress_kinds[STRESS_UPROBE], "link" },
	};

	add(list, attach_to_ending, all, NR(all), "attached to a process that is ending");
	add(list, owner_exits, all, NR(all), "it ends with the process that has attached it");
	add(list, owner_is_killed, all, NR(all), "it ends with SIGKILL to who has attached it");
	add(list, fork_storm_inherits, counted, NR(counted),
	    "three generations of children at once inherit it, and no run is lost");
	add(list, fork_storm_without, counted, NR(counted),
	    "without inherit, three generations of children have none of it");
	add(list, close_before_children, counted, NR(counted),
	    "closed while children have inherited it");
	add(list, attach_among_threads, counted, NR(counted),
	    "threads begin and end while it is attached: each has it once");
}
