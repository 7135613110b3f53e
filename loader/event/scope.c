// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Over which CPUs and threads an event is opened: what -C and -p ask for, and what the kernel has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/event/parts.h"

/* Threads of one process that are taken; /proc/sys/kernel/threads-max seldom allows as many. */
#define TIDS_MAX (1u << 20)

static int add_tid(void *arg, const char *name)
{
	struct event_scope *scope = arg;
	uint64_t tid;

	if (event_number(name, strlen(name), &tid) || tid == 0 || tid > INT32_MAX)
		return -EIO;
	/* A power of two is full. */
	if ((scope->nr_tids & (scope->nr_tids - 1)) == 0) {
		size_t room = scope->nr_tids ? scope->nr_tids * 2 : 1;
		pid_t *tids;

		if (room > TIDS_MAX)
			return -E2BIG;
		tids = realloc(scope->tids, room * sizeof(*tids));
		if (!tids)
			return -ENOMEM;
		scope->tids = tids;
	}
	scope->tids[scope->nr_tids++] = tid;
	return 0;
}

static int scope_tasks(struct sys *sys, struct event_scope *scope, struct error *err)
{
	char path[32];
	int ret;

	if (scope->pid < 0) {
		error_set(err, EINVAL, "a pid is a positive number");
		error_where(err, "process %d", scope->pid);
		return -EINVAL;
	}
	snprintf(path, sizeof(path), "/proc/%d/task", scope->pid);
	ret = event_each_entry(sys, AT_FDCWD, path, add_tid, scope);
	if (ret == 0 && scope->nr_tids == 0)
		ret = -ESRCH;
	if (ret == -ENOENT || ret == -ESRCH) {
		error_set(err, ESRCH, "there is no process %d, or it has ended", scope->pid);
		error_reason(err, "scope/no-process");
		error_hint(
			err,
			"-p takes the pid of a running process, "
			"as this pid namespace numbers them");
		error_where(err, "process %d", scope->pid);
		return -ESRCH;
	}
	if (ret < 0) {
		error_set(err, -ret, "the threads of the process cannot be listed: %s",
			  error_strerror(-ret));
		error_where(err, "%s", path);
	}
	return ret;
}

static int check_online(const struct cpu_list *cpus, const struct cpu_list *online,
			struct error *err)
{
	char text[256];

	for (unsigned int i = 0; i < cpus->nr; i++) {
		if (cpu_list_has(online, cpus->cpus[i]))
			continue;
		error_set(err, ENODEV, "CPU %d is not online", cpus->cpus[i]);
		error_reason(err, "scope/offline-cpu");
		error_hint(err, "online are %s", cpu_list_text(online, text, sizeof(text)));
		return -ENODEV;
	}
	return 0;
}

int event_scope_offline(struct sys *sys, struct event_scope *scope, struct error *err)
{
	struct cpu_list possible;
	unsigned int nr = 0;
	int ret;

	if (scope->cpus_given || !scope->cpus.nr)
		return 0;
	ret = cpu_list_read(sys, "possible", &possible, err);
	if (ret)
		return ret;
	for (unsigned int i = 0; i < possible.nr; i++)
		if (!cpu_list_has(&scope->cpus, possible.cpus[i]))
			possible.cpus[nr++] = possible.cpus[i];
	possible.nr = nr;
	scope->offline = possible;
	return 0;
}

static int scope_cpus(struct sys *sys, struct event_scope *scope, const char *cpu_text,
		      struct error *err)
{
	struct cpu_list online;
	int ret;

	if (!cpu_text)
		return cpu_list_read(sys, "online", &scope->cpus, err);
	ret = cpu_list_parse(&scope->cpus, cpu_text, err);
	if (ret == 0)
		ret = cpu_list_read(sys, "online", &online, err);
	if (ret == 0) {
		scope->cpus_given = true;
		ret = check_online(&scope->cpus, &online, err);
		cpu_list_free(&online);
	}
	if (ret)
		error_where(err, "CPUs '%.64s'", cpu_text);
	return ret;
}

int event_scope_init(struct sys *sys, struct event_scope *scope, const char *cpu_text, pid_t pid,
		     struct error *err)
{
	int ret = 0;

	memset(scope, 0, sizeof(*scope));
	scope->pid = pid;
	if (pid)
		ret = scope_tasks(sys, scope, err);
	/* Events of tasks follow them to every CPU, unless some were asked for. */
	if (ret == 0 && (!pid || cpu_text))
		ret = scope_cpus(sys, scope, cpu_text, err);
	if (ret)
		event_scope_free(scope);
	return ret;
}

void event_scope_free(struct event_scope *scope)
{
	cpu_list_free(&scope->cpus);
	cpu_list_free(&scope->offline);
	free(scope->tids);
	memset(scope, 0, sizeof(*scope));
}

/* The CPUs of @scope that the PMU is there for. Empty is "any", and stays so. */
static int allowed_cpus(const struct event_scope *scope, const struct cpu_list *pmu_cpus, int *cpus,
			unsigned int *nr, struct error *err)
{
	char text[256];

	*nr = 0;
	for (unsigned int i = 0; i < scope->cpus.nr; i++)
		if (!pmu_cpus->nr || cpu_list_has(pmu_cpus, scope->cpus.cpus[i]))
			cpus[(*nr)++] = scope->cpus.cpus[i];
	if (*nr || !scope->cpus.nr)
		return 0;
	error_set(err, ENODEV, "its PMU counts on none of the CPUs asked for");
	error_reason(err, "scope/pmu-cpus");
	error_hint(err, "the PMU is opened on CPU %s", cpu_list_text(pmu_cpus, text, sizeof(text)));
	return -ENODEV;
}

/* Each CPU, times each thread; either may be "any", and is -1 then. */
static int cross(const struct event_scope *scope, const int *cpus, unsigned int nr_cpus,
		 struct event_target *targets)
{
	int n = 0;

	for (unsigned int t = 0; t < (scope->nr_tids ? scope->nr_tids : 1); t++)
		for (unsigned int c = 0; c < (nr_cpus ? nr_cpus : 1); c++, n++) {
			targets[n].tid = scope->nr_tids ? scope->tids[t] : -1;
			targets[n].cpu = nr_cpus ? cpus[c] : -1;
		}
	return n;
}

static int traced_targets(const struct event_scope *scope, struct event_target *targets)
{
	/*
	 * One event is enough: its program runs for every task and CPU, and a second event would
	 * not take the same program. But a thread may have ended, the first one of a process that
	 * lives on among them: each is a target, for the caller to stop at the first that opens.
	 */
	const int cpu = scope->cpus.nr ? scope->cpus.cpus[0] : -1;

	return cross(scope, &cpu, 1, targets);
}

int event_targets(const struct event_spec *spec, const struct event_scope *scope,
		  const struct cpu_list *pmu_cpus, struct event_target **targets, struct error *err)
{
	size_t nr_cpus = scope->cpus.nr ? scope->cpus.nr : 1,
	       nr_tids = scope->nr_tids ? scope->nr_tids : 1;
	unsigned int nr = 0;
	int *cpus, ret;

	*targets = NULL;
	if (!scope->cpus.nr && !scope->nr_tids)
		return error_set(err, ENODEV, "there is neither a CPU nor a task to open it on");
	cpus = calloc(nr_cpus, sizeof(*cpus));
	if (nr_cpus <= INT32_MAX / nr_tids)
		*targets = calloc(nr_cpus * nr_tids, sizeof(**targets));
	if (!cpus || !*targets)
		ret = error_set(err, ENOMEM, "no memory for %zu events", nr_cpus * nr_tids);
	else if (event_is_traced(spec))
		ret = traced_targets(scope, *targets);
	else
		ret = allowed_cpus(scope, pmu_cpus, cpus, &nr, err);
	if (ret == 0)
		ret = cross(scope, cpus, nr, *targets);
	free(cpus);
	if (ret > 0)
		return ret;
	free(*targets);
	*targets = NULL;
	error_where(err, "event '%s'", spec->text);
	return ret;
}
