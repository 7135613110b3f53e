// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Test events opened for another process, another CPU or a cgroup. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/looking.h"
#include "loader/core/event/scope.h"
#include "loader/tools/inventory/mounts.h"
#include "loader/compare/measure/lifetime/lifetime.h"

/* A process that does a round of work on command, in a cgroup if one is given. */
struct other {
	struct fixture *fx;
	const char *procs;	/* cgroup.procs of the cgroup to join; NULL: none */
};

static void act(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct other *o = arg;
	int fd = o->procs ? sys_openat(self->sys, AT_FDCWD, o->procs, O_WRONLY | O_CLOEXEC) : 0;

	word.ret = fd;
	if (fd > 0)
		word.ret = sys_write(self->sys, fd, "0\n", 2);
	if (word.ret < 0)
		error_set(&word.err, -word.ret, "cgroup.procs: %s", error_strerror(-word.ret));
	word.ret = word.ret < 0 ? word.ret : 0;
	peer_report(self, &word);
	while (peer_wait(self)) {
		fixture_work(o->fx);
		peer_report(self, &word);
	}
}

/* Answer with the runs for work done here, for which the event is not opened. */
static void put(struct section *s, unsigned int row, int64_t here, int there)
{
	if (here < 0)
		section_put_runs(s, row, here, NULL);
	else if (here)
		section_put(s, row, "runs", NULL);
	else if (there)
		section_put(s, row, "no runs", NULL);
	else
		section_put(s, row, "unknown", "it does not run for its own target, either");
}

/* --- another process --- */

static void try_other_pid(struct fixture *fx, struct section *s)
{
	struct other o = { .fx = fx };
	struct fixture_scope where = { .target = { .tid = -1, .cpu = -1 } };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct error err = { 0 };
	struct peer_message word;
	struct peer peer;
	int64_t here = 0;
	int ret = peer_begin(&peer, fx->sys, act, &o, &err);

	if (!ret)
		ret = peer_receive(&peer, &word, &err);
	if (!ret) {
		where.target.tid = peer.pid;
		ret = fixture_attach(fx, &where, &a, &err);
	}
	if (!ret) {
		here = fixture_runs_of_work(fx, &fx->prog);
		ret = life_runs_for_peer(fx, &peer, &err);
	}
	if (ret < 0)
		section_refused(s, LIFE_OTHER_PID, &err);
	else
		put(s, LIFE_OTHER_PID, here, ret);
	peer_end(&peer, ret < 0);
	fixture_close(fx, &a);
	firing_prog_watch(fx->sys, &fx->prog, getpid());
}

/* --- another CPU --- */

/*
 * Get the two lowest CPUs that this process may run on, and return their number. These calls are
 * part of the work and do not go through struct sys.
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

static void try_other_cpu(struct fixture *fx, struct section *s)
{
	struct fixture_scope where = { .target = fx->s->target };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct error err = { 0 };
	cpu_set_t allowed;
	int64_t here, there;
	int cpus[2];

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || two_cpus(&allowed, cpus) < 2) {
		section_put(s, LIFE_OTHER_CPU, "one CPU", "this process may run on only one CPU");
		return;
	}
	where.target.cpu = cpus[0];
	move_to(cpus[1]);
	if (fixture_attach(fx, &where, &a, &err) < 0) {
		section_refused(s, LIFE_OTHER_CPU, &err);
	} else {
		here = fixture_runs_of_work(fx, &fx->prog);
		move_to(cpus[0]);
		there = fixture_starts_running(fx, &fx->prog);
		put(s, LIFE_OTHER_CPU, here, there > 0);
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
	fixture_close(fx, &a);
}

void life_filters(struct fixture *fx, struct section *s)
{
	if (fx->s->target.tid < 0) {
		section_put(s, LIFE_OTHER_PID, "no tasks",
			    "its PMU counts per CPU, not per task");
		section_put(s, LIFE_OTHER_CPU, "no tasks",
			    "the events of its PMU are not caused by the task on a CPU");
		return;
	}
	try_other_pid(fx, s);
	try_other_cpu(fx, s);
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
	int ret = mounts_visit(g->sys, "cgroup2", keep_mount, g);

	snprintf(cpus, sizeof(cpus), "%d", cpu);
	if (ret <= 0) {
		error_set(err, ret ? -ret : ENOENT, "no cgroup2 is mounted");
		error_reason(err, "scope/no-cgroup");
		return error_hint(err, "mount -t cgroup2 none /sys/fs/cgroup");
	}
	ret = sys_mkdirat(g->sys, g->path, 0755);
	if (ret < 0) {
		error_set(err, -ret, "%s: cannot be created: %s", g->path, error_strerror(-ret));
		return error_reason(err, "scope/no-cgroup");
	}
	g->made = true;
	return event_scope_init(g->sys, &g->scope, &asked, err);
}

/* The cgroup is busy (EBUSY) until the kernel has reaped the process that was in it. */
static void group_end(struct group *g)
{
	struct sys_looking looking = sys_looking(10 * UINT64_C(1000000000));

	event_scope_free(g->sys, &g->scope);
	while (g->made && sys_rmdir(g->sys, g->path) == -EBUSY && sys_look_again(&looking))
		sys_poll(g->sys, NULL, 0, 1);
}

static int try_group(struct fixture *fx, struct section *s, struct group *g, int cpu,
		     struct error *err)
{
	struct fixture_scope where = { .target = { .tid = -1, .cpu = cpu } };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	struct peer peer = { .sys = fx->sys, .tell_fd = -1, .hear_fd = -1 };
	struct other o = { .fx = fx, .procs = g->procs };
	struct peer_message word;
	int64_t here = 0;
	int ret = group_begin(g, cpu, err);

	if (!ret)
		ret = peer_begin(&peer, fx->sys, act, &o, err);
	if (!ret)
		ret = peer_receive(&peer, &word, err);
	if (!ret) {
		where.target.cgroup = g->scope.cgroups;
		ret = fixture_attach(fx, &where, &a, err);
	}
	if (!ret) {
		here = fixture_runs_of_work(fx, &fx->prog);
		ret = life_runs_for_peer(fx, &peer, err);
	}
	if (ret >= 0) {
		section_put(s, LIFE_CGROUP_INSIDE, ret ? "runs" : "no runs", NULL);
		put(s, LIFE_CGROUP_OUTSIDE, here, ret);
	}
	peer_end(&peer, ret < 0);
	fixture_close(fx, &a);
	group_end(g);
	return ret;
}

/* A cgroup event counts on one CPU, so both processes must work on that CPU. */
void life_cgroup(struct fixture *fx, struct section *s)
{
	struct group g = { .sys = fx->sys };
	struct error err = { 0 };
	cpu_set_t allowed;
	int cpus[2];

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || two_cpus(&allowed, cpus) < 1) {
		error_set(&err, EINVAL, "the CPUs that this process may run on are not known");
		section_rest(s, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE, &err);
		return;
	}
	move_to(cpus[0]);
	if (try_group(fx, s, &g, cpus[0], &err) < 0)
		section_rest(s, LIFE_CGROUP_OUTSIDE, LIFE_CGROUP_INSIDE, &err);
	sched_setaffinity(0, sizeof(allowed), &allowed);
	firing_prog_watch(fx->sys, &fx->prog, getpid());
}
