// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test whether the program runs for children and threads created after attaching. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/looking.h"
#include "loader/compare/measure/lifetime/lifetime.h"

/* A child that does a round of work on command. */
struct worker {
	struct fixture *fx;
	struct attachment *a;	/* parent's end; the child closes its copies */
};

static void act(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct worker *w = arg;

	fixture_close(w->fx, w->a);
	peer_report(self, &word);
	while (peer_wait(self)) {
		fixture_work(w->fx);
		peer_report(self, &word);
	}
}

/* Return 1 if the program runs for @task while @work is done there, 0 if not, or -errno. */
static int runs_for(struct fixture *fx, pid_t task, int (*work)(void *arg, struct error *err),
		    void *arg, struct error *err)
{
	int ret = firing_prog_watch(fx->sys, &fx->prog, task);
	int64_t before = ret < 0 ? ret : fixture_count_runs(fx, &fx->prog), after = before;
	struct fixture_rounds rounds;

	if (before >= 0) {
		rounds = fixture_rounds(fx, &fx->prog);
		do {
			ret = work(arg, err);
			if (ret < 0)
				return ret;
			after = fixture_count_runs(fx, &fx->prog);
		} while (after == before && fixture_retry_round(fx, &rounds));
	}
	if (after >= 0)
		return after > before;
	error_set(err, -after, "BPF_MAP_LOOKUP_ELEM: %s: how often it ran is not known",
		  error_strerror(-after));
	return after;
}

static int actor_works(void *arg, struct error *err)
{
	struct peer_message word;
	struct peer *peer = arg;

	peer_send(peer, 'w');
	return peer_receive(peer, &word, err);
}

int life_runs_for_peer(struct fixture *fx, struct peer *peer, struct error *err)
{
	return runs_for(fx, peer->pid, actor_works, peer, err);
}

/* A failure answers all rows up to @last. */
static void put(struct section *s, unsigned int row, unsigned int last, int runs,
		struct error *err)
{
	if (runs < 0)
		section_rest(s, row, last, err);
	else
		section_put(s, row, runs ? "runs" : "no runs", NULL);
}

/* Return false, and answer the rows, if the runs of different tasks cannot be distinguished. */
static bool can_tell_apart(const struct fixture *fx, struct section *s, unsigned int row,
		     unsigned int last)
{
	for (; row <= last; row++) {
		if (fx->s->target.tid < 0)
			section_put(s, row, "no tasks",
				    "its PMU counts per CPU, not per task");
		else if (!fx->prog.tells_tasks)
			section_put(s, row, "unknown", "bpf_get_ns_current_pid_tgid() is refused, "
						       "so runs in different tasks look alike");
	}
	return fx->s->target.tid >= 0 && fx->prog.tells_tasks;
}

static void put_own(struct fixture *fx, struct section *s, unsigned int row)
{
	int ret = firing_prog_watch(fx->sys, &fx->prog, getpid());

	section_put_runs(s, row, ret < 0 ? ret : fixture_still_runs(fx, &fx->prog), "stops");
}

/* --- children --- */

/*
 * An inherited uprobe can get lost. When another process closes a uprobe at the same location, the
 * kernel removes the breakpoint from all memory for which it knows no event
 * (register_for_each_vma() in kernel/events/uprobes.c). The memory of a child is in that state from
 * dup_mmap() until copy_mm() (kernel/fork.c) has ended, and the breakpoint is not inserted again.
 * So try again with another child.
 */
#define CHILDREN 3

static unsigned int children_in_vain(const struct fixture *fx, bool inherit)
{
	const enum event_kind kind = fx->s->spec->kind;

	return inherit && (kind == EVENT_UPROBE || kind == EVENT_USDT) ? CHILDREN : 1;
}

/* The child has exited when this function returns. */
static int run_for_child(struct fixture *fx, const struct fixture_scope *where,
			 struct attachment *a, struct error *err)
{
	struct peer peer = { .sys = fx->sys, .tell_fd = -1, .hear_fd = -1 };
	struct worker w = { fx, a };
	struct peer_message word;
	int ret = fixture_attach(fx, where, a, err);

	if (!ret)
		ret = peer_begin(&peer, fx->sys, act, &w, err);
	if (!ret)
		ret = peer_receive(&peer, &word, err);
	if (!ret)
		ret = runs_for(fx, peer.pid, actor_works, &peer, err);
	peer_end(&peer, ret < 0);
	return ret;
}

static void try_child(struct fixture *fx, struct section *s, bool inherit)
{
	const unsigned int row = inherit ? LIFE_CHILD_INHERITS : LIFE_CHILD;
	const struct fixture_scope where = { fx->s->target, inherit };
	unsigned int left = children_in_vain(fx, inherit);
	struct error err = { 0 };
	struct attachment a;
	int ret = run_for_child(fx, &where, &a, &err);

	while (!ret && --left) {
		fixture_close(fx, &a);
		ret = run_for_child(fx, &where, &a, &err);
	}
	if (ret >= 0 && inherit)
		put_own(fx, s, LIFE_CHILD_ENDED);
	put(s, row, inherit ? LIFE_CHILD_ENDED : row, ret, &err);
	fixture_close(fx, &a);
	firing_prog_watch(fx->sys, &fx->prog, getpid());
}

void life_children(struct fixture *fx, struct section *s)
{
	if (!can_tell_apart(fx, s, LIFE_CHILD, LIFE_CHILD_ENDED))
		return;
	try_child(fx, s, false);
	try_child(fx, s, true);
}

/* --- threads --- */

struct thread {
	struct fixture *fx;
	sem_t ready, go, done;
	pid_t tid;
	bool works;		/* meaning of @go: work, or exit */
};

#define EXIT_NS (10 * UINT64_C(1000000000))

static void *run_thread(void *arg)
{
	struct thread *t = arg;

	t->tid = gettid();
	sem_post(&t->ready);
	for (;;) {
		while (sem_wait(&t->go))
			;
		if (!t->works)
			return NULL;
		fixture_work(t->fx);
		sem_post(&t->done);
	}
}

static int thread_works(void *arg, struct error *err)
{
	struct thread *t = arg;

	(void)err;
	t->works = true;
	sem_post(&t->go);
	while (sem_wait(&t->done))
		;
	t->works = false;
	return 0;
}

/*
 * pthread_join() returns as soon as the thread no longer uses its memory, which on some kernels is
 * before its inherited events have ended. So wait until the thread id is free.
 */
static void wait_for_exit(struct sys *sys, pid_t tid)
{
	struct sys_looking looking = sys_looking(EXIT_NS);

	while (!tgkill(getpid(), tid, 0) && sys_look_again(&looking))
		sys_poll(sys, NULL, 0, 1);
}

/* The thread has exited when this function returns. */
static int run_for_thread(struct fixture *fx, struct error *err)
{
	struct thread t = { .fx = fx };
	pthread_t id;
	int ret;

	sem_init(&t.ready, 0, 0);
	sem_init(&t.go, 0, 0);
	sem_init(&t.done, 0, 0);
	ret = pthread_create(&id, NULL, run_thread, &t);
	if (ret)
		return error_set(err, ret, "pthread_create: %s", error_strerror(ret));
	while (sem_wait(&t.ready))
		;
	ret = runs_for(fx, t.tid, thread_works, &t, err);
	sem_post(&t.go);
	pthread_join(id, NULL);
	wait_for_exit(fx->sys, t.tid);
	return ret;
}

static void try_thread(struct fixture *fx, struct section *s, bool inherit)
{
	const unsigned int row = inherit ? LIFE_THREAD_INHERITS : LIFE_THREAD;
	const struct fixture_scope where = { fx->s->target, inherit };
	struct error err = { 0 };
	struct attachment a;
	int ret = fixture_attach(fx, &where, &a, &err);

	if (!ret)
		ret = run_for_thread(fx, &err);
	if (ret >= 0 && inherit)
		put_own(fx, s, LIFE_THREAD_ENDED);
	put(s, row, inherit ? LIFE_THREAD_ENDED : row, ret, &err);
	fixture_close(fx, &a);
	firing_prog_watch(fx->sys, &fx->prog, getpid());
}

void life_threads(struct fixture *fx, struct section *s)
{
	if (!can_tell_apart(fx, s, LIFE_THREAD, LIFE_THREAD_ENDED))
		return;
	try_thread(fx, s, false);
	try_thread(fx, s, true);
}
