// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The scope of an event: look up the CPUs, tasks or cgroups that the options name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/event/event_internal.h"

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
	/* Both lists ascend. */
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
	/* -t means only these threads; a cgroup's event covers children without inheritance. */
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

bool id_list_has_all(const struct id_list *list, const struct id_list *other)
{
	unsigned int i = 0;

	for (unsigned int o = 0; o < other->nr; o++) {
		while (i < list->nr && list->ids[i] < other->ids[o])
			i++;
		if (i == list->nr || list->ids[i] != other->ids[o])
			return false;
	}
	return true;
}

int event_scope_refresh(struct sys *sys, struct event_scope *scope, struct error *err)
{
	struct id_list now = { 0 }, had = { scope->tids, scope->nr_tids };
	int ret;

	if (!scope->inherit || scope->tasks == TASK_SCOPE_COMMAND)
		return 0;
	ret = scope_list_tasks(sys, scope, true, &now, err);
	if (ret == -ESRCH) {	/* all have ended */
		if (err)
			error_clear(err);
		ret = 0;
	}
	if (ret < 0 || id_list_has_all(&had, &now)) {
		free(now.ids);
		return ret;
	}
	free(scope->tids);
	scope->tids = now.ids;
	scope->nr_tids = now.nr;
	return 1;
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
