// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scopes other than this thread: which work runs a program whose event was opened for others. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/tools/inventory/mounts.h"
#include "loader/compare/measure/lifetime/lifetime.h"
#include "test/regress/groups/bind/fires.h"

enum { CLOCK };

static const struct kind kinds[] = {
	[CLOCK] = { "cpu-clock", "cpu-clock,period=1000000", KIND_COUNTED },
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "syscall tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
};

enum scope { ONE_CPU, ALL_CPUS, PROCESS, THREAD, CGROUP, INHERIT };

/*
 * Work inside the scope runs the program. Work outside runs it for the kinds in @all: a tracing
 * event runs its program before it looks for which task or CPU the event was opened.
 */
static const struct {
	const char *name, *counted, *traced;	/* the last two: the fact by family */
	unsigned int all;
} scopes[] = {
	[ONE_CPU] = { "one CPU", "runs for work there", "runs for work on any", KIND_TRACED },
	[ALL_CPUS] = { "all CPUs", "runs once for work on any", "runs once for work on any", 0 },
	[PROCESS] = { "another process", "runs for its work", "runs for everybody's work",
		      KIND_TRACED & ~KIND_UPROBES },
	[THREAD] = { "a thread of another process", "runs for its work",
		     "runs for work of the others, too", KIND_TRACED },
	[CGROUP] = { "a cgroup", "runs for work in it", "runs for work outside, too", KIND_TRACED },
	[INHERIT] = { "a thread and what it starts", "runs for a child", "runs for a child", 0 },
};

struct fact {
	const struct kind *kind;
	unsigned int cell;
	enum scope scope;
};

/* The number of units: with a clock, enough milliseconds for an emulated machine. */
#define UNITS 20

/* The attachment of one test, and the processes that do the work. */
struct scene {
	struct regress *t;
	const struct fact *fact;
	struct event_spec spec;
	struct compare_subject s;
	struct compare_event e;
	struct attach_set set;		/* of all CPUs */
	struct peer peer;		/* another process with two threads */
	pid_t thread;
	int cpus[2];
	char group[512];		/* "": none */
	struct event_scope scope;
	struct kind_controller controller;
	struct error err;
	int64_t meant, other;		/* runs for work in the scope, and for other work */
};

/* --- the other process --- */

struct helper {
	struct scene *scene;
	sem_t go, done;
	pid_t tid;
};

static void work(const struct scene *sc)
{
	for (int i = 0; i < UNITS; i++)
		sc->s.work->unit();
}

static void wait_on(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

static void *help(void *arg)
{
	struct helper *h = arg;

	h->tid = gettid();
	for (;;) {
		sem_post(&h->done);
		wait_on(&h->go);
		work(h->scene);
	}
	return NULL;
}

static int join_group(const struct scene *sc)
{
	char path[sizeof(sc->group) + 16];
	int fd, ret;

	if (!sc->group[0])
		return 0;
	snprintf(path, sizeof(path), "%s/cgroup.procs", sc->group);
	fd = sys_openat(sc->t->sys, AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
	ret = fd < 0 ? fd : sys_write(sc->t->sys, fd, "0\n", 2);
	sys_close_fd(sc->t->sys, &fd);
	return ret < 0 ? ret : 0;
}

static void act(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct scene *sc = arg;
	struct helper h = { .scene = sc };
	pthread_t id;
	char what;

	/* This child inherited the descriptors, and its copies would keep the event alive. */
	sys_close_fd(sc->t->sys, &sc->e.a.link_fd);
	sys_close_fd(sc->t->sys, &sc->e.a.event_fd);
	sem_init(&h.go, 0, 0);
	sem_init(&h.done, 0, 0);
	word.ret = join_group(sc);
	if (word.ret)
		error_set(&word.err, -word.ret, "cgroup.procs: %s", error_strerror(-word.ret));
	if (pthread_create(&id, NULL, help, &h))
		_exit(1);
	wait_on(&h.done);
	word.number[0] = h.tid;
	peer_report(self, &word);
	while ((what = peer_wait(self))) {
		if (what == 't') {
			sem_post(&h.go);
			wait_on(&h.done);
		} else {
			work(sc);
		}
		peer_report(self, &word);
	}
	_exit(0);
}

static int actor_there(struct scene *sc)
{
	struct peer_message word;
	int ret = peer_begin(&sc->peer, sc->t->sys, act, sc, &sc->err);

	if (!ret)
		ret = peer_receive(&sc->peer, &word, &sc->err);
	sc->thread = word.number[0];
	return ret;
}

/* --- work, and the runs that it causes --- */

static int64_t own_runs(struct scene *sc)
{
	struct firing_value value;

	regress_ok(sc->t, firing_prog_read(sc->t->sys, &sc->s.prog, &value), NULL, "runs");
	return value.own.runs;
}

/* Return whether to repeat the work, to wait for an event from a timer that must come. */
static bool goes_on(const struct scene *sc, bool comes, int64_t runs, uint64_t end)
{
	return comes && sc->s.work->load && !runs && sys_monotonic_ns() < end;
}

static int64_t work_here(struct scene *sc, bool comes)
{
	const uint64_t end = sys_monotonic_ns() + CLOCK_NS;
	int64_t before, runs;

	regress_ok(sc->t, firing_prog_watch(sc->t->sys, &sc->s.prog, getpid()), NULL, "watching");
	before = own_runs(sc);
	do {
		work(sc);
		runs = own_runs(sc) - before;
	} while (goes_on(sc, comes, runs, end));
	return runs;
}

/* @what: 'w' is work of the process's first thread, 't' of the other one. */
static int64_t work_there(struct scene *sc, char what, bool comes)
{
	const uint64_t end = sys_monotonic_ns() + CLOCK_NS;
	struct peer_message word;
	int64_t before, runs;

	regress_ok(sc->t, firing_prog_watch(sc->t->sys, &sc->s.prog, sc->peer.pid), NULL,
		   "watching");
	before = own_runs(sc);
	do {
		peer_send(&sc->peer, what);
		regress_ok(sc->t, peer_receive(&sc->peer, &word, &sc->err), &sc->err,
			   "another process");
		runs = own_runs(sc) - before;
	} while (goes_on(sc, comes, runs, end));
	return runs;
}

/* --- attaching --- */

static int attach_one(struct scene *sc, void (*change)(struct perf_event_attr *attr))
{
	const struct compare_cell *cell = &sc->s.cells[sc->fact->cell];
	int ret = compare_open_as(&sc->s, cell, change, &sc->e, &sc->err);

	if (!ret)
		ret = compare_bind(&sc->s, cell, &sc->e, sc->s.prog.prog_fd, &sc->err);
	return ret ? ret : compare_enable(&sc->s, &sc->e, &sc->err);
}

static int attach_all(struct scene *sc)
{
	const struct event_scope_options asked = { 0 };
	struct attach_request req = {
		.method = sc->s.cells[sc->fact->cell].method, .spec = &sc->spec,
		.scope = &sc->scope, .prog_fd = sc->s.prog.prog_fd,
		.prog_type = sc->s.prog.prog_type,
	};
	int ret = event_scope_init(sc->t->sys, &sc->scope, &asked, &sc->err);

	if (ret >= 0)
		ret = attach_prog(sc->t->sys, &req, &sc->set, &sc->err);
	return ret < 0 ? ret : attach_enable(sc->t->sys, &sc->set, &sc->err);
}

static int keep_mount(void *arg, const char *path)
{
	struct scene *sc = arg;
	int n = snprintf(sc->group, sizeof(sc->group), "%s/pload-regress-%d", path, getpid());

	return n > 0 && (size_t)n < sizeof(sc->group);
}

static int make_group(struct scene *sc)
{
	const struct event_scope_options asked = { .cgroups = sc->group };
	int ret;

	kind_controller_begin(sc->t, &sc->controller);
	if (mounts_visit(sc->t->sys, "cgroup2", keep_mount, sc) <= 0) {
		sc->group[0] = '\0';
		error_set(&sc->err, ENOENT, "no cgroup2 is mounted");
		return error_reason(&sc->err, "perf-open/no-pmu");
	}
	ret = sys_mkdirat(sc->t->sys, sc->group, 0755);
	if (ret < 0)
		return error_set(&sc->err, -ret, "%s: %s", sc->group, error_strerror(-ret));
	return event_scope_init(sc->t->sys, &sc->scope, &asked, &sc->err);
}

static void inherit(struct perf_event_attr *attr)
{
	attr->inherit = 1;
}

static bool runs_for_all(const struct fact *fact)
{
	return scopes[fact->scope].all & fact->kind->is || fact->scope == ALL_CPUS ||
	       fact->scope == INHERIT;
}

/* Opens the event for its scope, and does the work inside the scope and the work outside. */
static int play(struct scene *sc)
{
	const enum scope scope = sc->fact->scope;
	const bool all = runs_for_all(sc->fact);
	int ret = 0;

	if (scope == CGROUP)
		ret = make_group(sc);
	if (!ret && scope == CGROUP)
		kind_move_to(sc->t, sc->cpus[0]);
	if (!ret && (scope == PROCESS || scope == THREAD || scope == CGROUP))
		ret = actor_there(sc);
	if (ret < 0)
		return ret;
	if (scope == ONE_CPU)
		sc->s.target = (struct event_target){ .tid = -1, .cpu = sc->cpus[0] };
	else if (scope == CGROUP)
		sc->s.target = (struct event_target){ .tid = -1, .cpu = sc->cpus[0],
						      .cgroup = sc->scope.cgroups };
	else if (scope == PROCESS || scope == THREAD)
		sc->s.target.tid = scope == THREAD ? sc->thread : sc->peer.pid;
	ret = scope == ALL_CPUS ? attach_all(sc) :
				  attach_one(sc, scope == INHERIT ? inherit : NULL);
	if (!ret && scope == INHERIT)
		ret = actor_there(sc);
	if (ret < 0)
		return ret;
	if (scope == ONE_CPU || scope == ALL_CPUS) {
		kind_move_to(sc->t, sc->cpus[0]);
		sc->meant = work_here(sc, true);
		kind_move_to(sc->t, sc->cpus[1]);
		sc->other = work_here(sc, all);
	} else {
		sc->meant = work_there(sc, scope == THREAD ? 't' : 'w', true);
		sc->other = scope == THREAD ? work_there(sc, 'w', all) : work_here(sc, all);
	}
	return 0;
}

/* A directory remains busy for a moment while a process in it is being removed. */
static bool group_gone(void *arg)
{
	struct scene *sc = arg;

	return sys_rmdir(sc->t->sys, sc->group) != -EBUSY;
}

static void leave(struct scene *sc)
{
	compare_close(&sc->s, &sc->e);
	attach_close(sc->t->sys, &sc->set);
	peer_end(&sc->peer, false);
	event_scope_free(sc->t->sys, &sc->scope);
	if (sc->group[0])
		regress_until(group_gone, sc);
	kind_controller_end(&sc->controller);
	kind_end(&sc->s);
}

/* --- assertions --- */

static void expect_runs(struct scene *sc, int64_t runs, const char *whose)
{
	const struct firing_work *w = sc->s.work;
	const int least = w->load ? 1 : UNITS;

	regress_expect(sc->t, w->exact ? runs == UNITS : runs >= least,
		       "%lld runs in %d units of %s work", (long long)runs, UNITS, whose);
}

static void run(struct regress *t)
{
	const struct fact *fact = t->data;
	struct scene sc = { .t = t, .fact = fact,
			    .peer = { .sys = t->sys, .tell_fd = -1, .hear_fd = -1 } };
	int ret;

	sc.e.a = (struct attachment){ .event_fd = -1, .link_fd = -1 };
	kind_two_cpus(t, sc.cpus);
	kind_begin(t, fact->kind, &sc.spec, &sc.s);
	regress_ok(t, sc.s.no_prog.code, &sc.s.no_prog, "the program");
	if (!sc.s.prog.tells_tasks)
		regress_skip(t, "this kernel has no bpf_get_ns_current_pid_tgid()");
	ret = play(&sc);
	leave(&sc);
	regress_ok(t, ret, &sc.err, "attaching");
	/* An inherited probe is a separate event, to which nothing is bound. */
	if (fact->scope == INHERIT && fact->kind->is & KIND_UPROBES && CELLS_PMU & 1u << fact->cell)
		regress_expect(t, !sc.meant, "%lld runs for a child", (long long)sc.meant);
	else
		expect_runs(&sc, sc.meant, "the");
	if (runs_for_all(fact))
		expect_runs(&sc, sc.other, "the other");
	else
		regress_expect(t, !sc.other, "%lld runs for others' work", (long long)sc.other);
}

static struct fact all_facts[NR(scopes) * NR(kinds) * COMPARE_NR_CELLS];

void fires_add_scopes(struct regress_list *list)
{
	struct fact *fact = all_facts;

	for (size_t k = 0; k < NR(kinds); k++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++)
			for (size_t i = 0; i < NR(scopes); i++, fact++) {
				const bool wide = scopes[i].all & kinds[k].is;

				/*
				 * After its work a task keeps running for a moment, in which the
				 * clock may tick.
				 */
				if (k == CLOCK && i >= PROCESS)
					continue;
				*fact = (struct fact){ &kinds[k], c, i };
				regress_add(list, run, fact, "%s by %s for %s: %s", kinds[k].name,
					    kind_cell_name(&kinds[k], c), scopes[i].name,
					    wide ? scopes[i].traced : scopes[i].counted);
			}
}
