// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whose work makes it run: events opened for another process, another CPU, a cgroup. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/tools/compare/lifetime/lifetime.h"

/* A process that works when it is told to, in a cgroup where one is named. */
struct other {
	struct stage *st;
	const char *procs;	/* its cgroup.procs; NULL: where we are */
};

static void act(struct actor *self, void *arg)
{
	struct actor_word word = { 0 };
	struct other *o = arg;
	int fd = o->procs ? sys_openat(self->sys, AT_FDCWD, o->procs, O_WRONLY | O_CLOEXEC) : 0;

	word.ret = fd;
	if (fd > 0)
		word.ret = sys_write(self->sys, fd, "0\n", 2);
	if (word.ret < 0)
		error_set(&word.err, -word.ret, "cgroup.procs: %s", error_strerror(-word.ret));
	word.ret = word.ret < 0 ? word.ret : 0;
	actor_say(self, &word);
	while (actor_wait(self)) {
		stage_work(o->st);
		actor_say(self, &word);
	}
}

/* The answer to runs of the work done here, @here, where the event is for others. */
static void put(struct section *s, unsigned int row, int64_t here, int there)
{
	if (here < 0)
		stage_put_runs(s, row, here, NULL);
	else if (here)
		section_put(s, row, "runs", NULL);
	else if (there)
		section_put(s, row, "no runs", NULL);
	else
		section_put(s, row, "unknown", "it does not run where it was opened for, either");
}

/* --- another process --- */

static void try_other_pid(struct stage *st, struct section *s)
{
	struct other o = { .st = st };
	struct stage_where where = { .target = { .tid = -1, .cpu = -1 } };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct error err = { 0 };
	struct actor_word word;
	struct actor actor;
	int64_t here = 0;
	int ret = actor_begin(&actor, st->sys, act, &o, &err);

	if (!ret)
		ret = actor_hear(&actor, &word, &err);
	if (!ret) {
		where.target.tid = actor.pid;
		ret = stage_attach(st, &where, &a, &err);
	}
	if (!ret) {
		here = stage_runs(st, &st->prog);
		ret = stage_runs_for_actor(st, &actor, &err);
	}
	if (ret < 0)
		section_refused(s, LIFE_OTHER_PID, &err);
	else
		put(s, LIFE_OTHER_PID, here, ret);
	actor_end(&actor, ret < 0);
	stage_close(st, &a);
	trial_prog_watch(st->sys, &st->prog, getpid());
}

/* --- another CPU --- */

/*
 * Where the work is done is part of the work, and no call of the loader's. The two lowest CPUs that
 * are allowed, into @cpus; how many there are.
 */
static int two_cpus(const cpu_set_t *allowed, int cpus[2])
{
	int nr = 0;

	for (int cpu = 0; nr < 2 && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, allowed))
			cpus[nr++] = cpu;
	return nr;
}

static void move_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void try_other_cpu(struct stage *st, struct section *s)
{
	struct stage_where where = { .target = st->s->target };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct error err = { 0 };
	cpu_set_t allowed;
	int64_t here, there;
	int cpus[2];

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || two_cpus(&allowed, cpus) < 2) {
		section_put(s, LIFE_OTHER_CPU, "one CPU", "this process may run on one CPU only");
		return;
	}
	where.target.cpu = cpus[0];
	move_to(cpus[1]);
	if (stage_attach(st, &where, &a, &err) < 0) {
		section_refused(s, LIFE_OTHER_CPU, &err);
	} else {
		here = stage_runs(st, &st->prog);
		move_to(cpus[0]);
		there = stage_begins(st, &st->prog);
		put(s, LIFE_OTHER_CPU, here, there > 0);
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	stage_close(st, &a);
}

void life_filters(struct stage *st, struct section *s)
{
	if (st->s->target.tid < 0) {
		section_put(s, LIFE_OTHER_PID, "no tasks", "its PMU counts CPUs and no single tasks");
		section_put(s, LIFE_OTHER_CPU, "no tasks",
			    "what its PMU counts is not done by a task on a CPU");
		return;
	}
	try_other_pid(st, s);
	try_other_cpu(st, s);
}

/* --- a cgroup --- */

struct group {
	struct sys *sys;
	char path[PATH_MAX], procs[PATH_MAX];
	bool made;
	struct event_scope scope;	/* with the cgroup, open */
};

static int keep_mount(void *arg, const char *path)
{
	struct group *g = arg;
	int n = snprintf(g->path, sizeof(g->path), "%s/pload-compare-%d", path, getpid());

	if (n < 0 || (size_t)n + sizeof("/cgroup.procs") > sizeof(g->path))
		return 0;
	snprintf(g->procs, sizeof(g->procs), "%s", g->path);
	strcat(g->procs, "/cgroup.procs");
	return 1;
}

static int group_begin(struct group *g, int cpu, struct error *err)
{
	char cpus[16];
	const struct event_scope_options asked = { .cgroups = g->path, .cpus = cpus };
	int ret = attached_mounts(g->sys, "cgroup2", keep_mount, g);

	snprintf(cpus, sizeof(cpus), "%d", cpu);
	if (ret <= 0) {
		error_set(err, ret ? -ret : ENOENT, "no cgroup2 is mounted");
		error_reason(err, "scope/no-cgroup");
		return error_hint(err, "mount -t cgroup2 none /sys/fs/cgroup");
	}
	ret = sys_mkdirat(g->sys, g->path, 0755);
	if (ret < 0) {
		error_set(err, -ret, "%s: cannot be made: %s", g->path, error_strerror(-ret));
		return error_reason(err, "scope/no-cgroup");
	}
	g->made = true;
	return event_scope_init(g->sys, &g->scope, &asked, err);
}

/* A directory with a process that is being buried is busy for a moment: bounded. */
static void group_end(struct group *g)
{
	struct sys_looking looking = sys_looking(10 * UINT64_C(1000000000));

	event_scope_free(g->sys, &g->scope);
	while (g->made && sys_rmdir(g->sys, g->path) == -EBUSY && sys_look_again(&looking))
		sys_poll(g->sys, NULL, 0, 1);
}

static int try_group(struct stage *st, struct section *s, struct group *g, int cpu,
		     struct error *err)
{
	struct stage_where where = { .target = { .tid = -1, .cpu = cpu } };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct actor actor = { .sys = st->sys, .tell_fd = -1, .hear_fd = -1 };
	struct other o = { .st = st, .procs = g->procs };
	struct actor_word word;
	int64_t here = 0;
	int ret = group_begin(g, cpu, err);

	if (!ret)
		ret = actor_begin(&actor, st->sys, act, &o, err);
	if (!ret)
		ret = actor_hear(&actor, &word, err);
	if (!ret) {
		where.target.cgroup = g->scope.cgroups;
		ret = stage_attach(st, &where, &a, err);
	}
	if (!ret) {
		here = stage_runs(st, &st->prog);
		ret = stage_runs_for_actor(st, &actor, err);
	}
	if (ret >= 0) {
		section_put(s, LIFE_CGROUP_INSIDE, ret ? "runs" : "no runs", NULL);
		put(s, LIFE_CGROUP_OUTSIDE, here, ret);
	}
	actor_end(&actor, ret < 0);
	stage_close(st, &a);
	group_end(g);
	return ret;
}

/* Events of cgroups are of CPUs, so both have to work on the one that is watched. */
void life_cgroup(struct stage *st, struct section *s)
{
	struct group g = { .sys = st->sys };
	struct error err = { 0 };
	cpu_set_t allowed;
	int cpus[2];

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || two_cpus(&allowed, cpus) < 1) {
		error_set(&err, EINVAL, "on which CPUs this process may run is not known");
		section_rest(s, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE, &err);
		return;
	}
	move_to(cpus[0]);
	if (try_group(st, s, &g, cpus[0], &err) < 0)
		section_rest(s, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE, &err);
	sched_setaffinity(0, sizeof(allowed), &allowed);
	trial_prog_watch(st->sys, &st->prog, getpid());
}
