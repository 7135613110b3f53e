/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The scope of an event: the CPUs, and the tasks or cgroups, for which it is opened. */
#ifndef PLOAD_CORE_EVENT_SCOPE_H
#define PLOAD_CORE_EVENT_SCOPE_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/cpus.h"
#include "loader/core/sys/sys.h"

enum task_scope {
	TASK_SCOPE_ALL,		/* -a: every task */
	TASK_SCOPE_PROCESSES,	/* -p: their current threads, and future threads and children */
	TASK_SCOPE_THREADS,	/* -t: only these threads */
	TASK_SCOPE_USER,	/* -u: a user's current processes, and their future children */
	TASK_SCOPE_CGROUPS,	/* -G: tasks that are in them, now or later */
	TASK_SCOPE_COMMAND,	/* a child of pload, from its exec on */
};

/* The options as written; all strings are borrowed. At most one task scope is set. */
struct event_scope_options {
	const char *cpus;	/* -C; NULL: all online CPUs */
	const char *processes, *threads;	/* "12,34" */
	const char *user;	/* a number, or a name in /etc/passwd */
	const char *cgroups;	/* "a,b" */
	pid_t command;		/* 0: none */
	bool no_inherit;	/* exclude future threads and children */
};

struct event_cgroup {
	char *name;		/* owned; as written */
	int fd;			/* owned; descriptor of its directory */
};

/* The options after lookup. */
struct event_scope {
	enum task_scope tasks;
	struct cpu_list cpus;	/* owned; all online, kept up to date by cpu_hotplug.h. Empty for
				 * a task scope without -C */
	pid_t *tids;		/* owned, ascending; NULL: not a task scope */
	unsigned int nr_tids;
	struct event_cgroup *cgroups;	/* owned; NULL: not a cgroup scope */
	unsigned int nr_cgroups;
	bool cpus_given;	/* -C was given */
	bool inherit;		/* include future threads and children */
	struct event_scope_options asked;
	struct cpu_list offline;	/* owned; filled by event_scope_offline() */
};

/**
 * event_scope_init() - Look up the CPUs, tasks or cgroups named by @asked.
 *
 * Return: 0 or -errno: a CPU is not online ("scope/offline-cpu"), a process or thread does not
 * exist ("scope/no-process", "scope/no-thread"), a directory is not a cgroup ("scope/not-a-cgroup",
 * "scope/no-cgroup"), no such user ("scope/no-user").
 */
int event_scope_init(struct sys *sys, struct event_scope *scope,
		     const struct event_scope_options *asked, struct error *err);
void event_scope_free(struct sys *sys, struct event_scope *scope);

/**
 * * event_scope_by_task() - Return true for -p, -t, -u and a command, that is, neither all tasks
 * nor cgroups.
 */
bool event_scope_by_task(const struct event_scope *scope);

/**
 * event_scope_offline() - Set scope->offline to the CPUs of -C (by default all possible ones) that
 * are missing from scope->cpus; the summary reports them. Empty for a task scope.
 */
int event_scope_offline(struct sys *sys, struct event_scope *scope, struct error *err);

/* --- tasks and processes: scope.c, processes.c --- */

/* A process in a task scope. */
struct event_process {
	pid_t pid;
	pid_t *tids;		/* borrowed from event_processes; main thread first */
	unsigned int nr_tids;
};

struct event_processes {
	struct event_process *list;	/* owned, ascending */
	unsigned int nr;		/* at least 1 */
	pid_t *tids;			/* owned */
};

/**
 * event_processes_list() - List the processes of a task scope. On failure @p is empty.
 * Return: 0 or
 * -errno; -ESRCH if all of them have ended ("scope/no-process").
 */
int event_processes_list(struct sys *sys, const struct event_scope *scope,
			 struct event_processes *p, struct error *err);
void event_processes_free(struct event_processes *p);

/**
 * event_tasks_check() - Check that @text is a list of task ids, "12,34".
 * @what: what the ids stand for, for messages: "process".
 *
 * event_tasks_next() - Return the first id of a checked list and advance *@text past it, to ""
 * after the last one.
 */
int event_tasks_check(const char *text, const char *what, struct error *err);
pid_t event_tasks_next(const char **text);

#endif
