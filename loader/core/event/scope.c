// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The scope of an event: look up the CPUs, tasks or cgroups named by the options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/core/event/steps.h"

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
	const struct cpu_list *open = &scope->cpus;
	struct cpu_list meant;
	unsigned int nr = 0, next = 0;
	int ret;

	if (event_scope_by_task(scope))
		return 0;
	ret = scope->asked.cpus ? cpu_list_parse(&meant, scope->asked.cpus, err) :
				  cpu_list_read(sys, "possible", &meant, err);
	if (ret)
		return ret;
	/* Both lists are in ascending order. */
	for (unsigned int i = 0; i < meant.nr; i++) {
		while (next < open->nr && open->cpus[next] < meant.cpus[i])
			next++;
		if (next == open->nr || open->cpus[next] > meant.cpus[i])
			meant.cpus[nr++] = meant.cpus[i];
	}
	meant.nr = nr;
	cpu_list_free(&scope->offline);
	scope->offline = meant;
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

static enum task_scope task_scope_of(const struct event_scope_options *asked)
{
	return asked->processes ? TASK_SCOPE_PROCESSES :
	       asked->threads	? TASK_SCOPE_THREADS :
	       asked->user	? TASK_SCOPE_USER :
	       asked->cgroups	? TASK_SCOPE_CGROUPS :
	       asked->command	? TASK_SCOPE_COMMAND :
				  TASK_SCOPE_ALL;
}

bool event_scope_by_task(const struct event_scope *scope)
{
	return scope->tasks != TASK_SCOPE_ALL && scope->tasks != TASK_SCOPE_CGROUPS;
}

static int scope_tasks(struct sys *sys, struct event_scope *scope, struct error *err)
{
	struct id_list tids = { 0 };
	int ret = scope_list_tasks(sys, scope, false, &tids, err);

	scope->tids = tids.ids;
	scope->nr_tids = tids.nr;
	return ret;
}

int event_scope_init(struct sys *sys, struct event_scope *scope,
		     const struct event_scope_options *asked, struct error *err)
{
	int ret = 0;

	memset(scope, 0, sizeof(*scope));
	scope->asked = *asked;
	scope->tasks = task_scope_of(asked);
	/* -t means only these threads; a cgroup event covers children without inheritance. */
	scope->inherit = event_scope_by_task(scope) && scope->tasks != TASK_SCOPE_THREADS &&
			 !asked->no_inherit;
	if (scope->tasks != TASK_SCOPE_ALL)
		ret = scope_tasks(sys, scope, err);
	/* An event of a task follows it to every CPU, unless -C selects some. */
	if (ret == 0 && (!event_scope_by_task(scope) || asked->cpus))
		ret = scope_cpus(sys, scope, asked->cpus, err);
	if (ret)
		event_scope_free(sys, scope);
	return ret;
}

void event_scope_free(struct sys *sys, struct event_scope *scope)
{
	for (unsigned int i = 0; i < scope->nr_cgroups; i++) {
		sys_close_fd(sys, &scope->cgroups[i].fd);
		free(scope->cgroups[i].name);
	}
	free(scope->cgroups);
	cpu_list_free(&scope->cpus);
	cpu_list_free(&scope->offline);
	free(scope->tids);
	memset(scope, 0, sizeof(*scope));
}

/* --- tasks: the current threads of processes, from /proc --- */

/* Maximum number of tasks; /proc/sys/kernel/threads-max rarely allows more. */
#define TASKS_MAX (1u << 20)

int id_list_add(struct id_list *list, pid_t id)
{
	pid_t *ids;

	if (list->nr == TASKS_MAX)
		return -E2BIG;
	ids = array_grow(list->ids, list->nr, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	list->ids = ids;
	ids[list->nr++] = id;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static bool is_ascending(const struct id_list *list)
{
	for (unsigned int i = 1; i < list->nr; i++)
		if (list->ids[i - 1] >= list->ids[i])
			return false;
	return true;
}

/* /proc already lists threads in this order, unless thread ids have wrapped around. */
static void id_list_sort(struct id_list *list)
{
	unsigned int nr = 0;

	if (is_ascending(list))
		return;
	qsort(list->ids, list->nr, sizeof(*list->ids), compare);
	for (unsigned int i = 0; i < list->nr; i++)
		if (!nr || list->ids[nr - 1] != list->ids[i])
			list->ids[nr++] = list->ids[i];
	list->nr = nr;
}

/* Parse "12,34". @what: "process" or "thread", for the error. */
int id_list_parse(const char *text, const char *what, struct id_list *list, struct error *err)
{
	int ret = 0;

	for (size_t len; !ret; text += len + 1) {
		uint64_t id = 0;

		len = strcspn(text, ",");
		if (number_parse(text, len, &id) || id == 0 || id > INT32_MAX) {
			error_set(err, EINVAL, "'%.*s' is not a %s id",
				  len > 32 ? 32 : (int)len, text, what);
			error_reason(err, "scope/grammar");
			return error_hint(err, "write positive numbers and commas: 12,34");
		}
		ret = id_list_add(list, id);
		if (!text[len])
			break;
	}
	if (ret)
		error_set(err, -ret, "no memory for a list of tasks");
	return ret;
}

int event_tasks_check(const char *text, const char *what, struct error *err)
{
	struct id_list list = { 0 };
	int ret = id_list_parse(text, what, &list, err);

	free(list.ids);
	return ret;
}

pid_t event_tasks_next(const char **text)
{
	const size_t len = strcspn(*text, ",");
	uint64_t id = 0;

	number_parse(*text, len, &id);
	*text += len + ((*text)[len] == ',');
	return id;
}

static int add_thread(void *arg, const char *name)
{
	uint64_t tid;

	if (number_parse(name, strlen(name), &tid) || tid > INT32_MAX)
		return -EIO;
	/* Older kernels list a thread that just ended as 0. */
	return tid ? id_list_add(arg, tid) : 0;
}

/* Add the threads of a process. Return: 0 or -errno; -ESRCH if the process has ended. */
int id_list_add_threads(struct sys *sys, pid_t pid, struct id_list *tids, struct error *err)
{
	const unsigned int before = tids->nr;
	char path[32];
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	ret = sys_each_entry(sys, AT_FDCWD, path, add_thread, tids);
	if (ret == -ENOENT || (ret == 0 && tids->nr == before))
		ret = -ESRCH;
	if (ret == -ESRCH) {
		error_set(err, ESRCH, "it does not exist or has ended");
		error_reason(err, "scope/no-process");
		error_hint(
			err,
			"use a pid of this pid namespace; ps -e lists them");
		error_where(err, "process %d", pid);
	} else if (ret < 0) {
		error_set(err, -ret, "cannot list the threads of the process: %s",
			  error_strerror(-ret));
		error_reason(err, "scope/no-process");
		error_where(err, "%s", path);
	}
	return ret;
}

/* @again: a process that has ended since the last listing is not an error. */
static int list_processes(struct sys *sys, const char *text, bool again, struct id_list *tids,
			  struct error *err)
{
	struct id_list pids = { 0 };
	int ret = id_list_parse(text, "process", &pids, err);

	for (unsigned int i = 0; !ret && i < pids.nr; i++) {
		ret = id_list_add_threads(sys, pids.ids[i], tids, err);
		if (ret == -ESRCH && again) {
			if (err)
				error_clear(err);
			ret = 0;
		}
	}
	free(pids.ids);
	return ret;
}

int scope_list_tasks(struct sys *sys, struct event_scope *scope, bool again, struct id_list *tids,
		     struct error *err)
{
	int ret = 0;

	if (scope->asked.processes)
		ret = list_processes(sys, scope->asked.processes, again, tids, err);
	else
		ret = scope_by_feature(sys, scope, again, tids, err);
	id_list_sort(tids);
	return ret < 0 ? ret : 0;
}
