/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The scope of an event: the CPUs and the tasks or cgroups over which it is opened. */
#ifndef PLOAD_CORE_EVENT_SCOPE_H
#define PLOAD_CORE_EVENT_SCOPE_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/cpus.h"
#include "loader/core/sys/sys.h"

enum task_scope {
	TASK_SCOPE_ALL,		/* -a: every task */
	TASK_SCOPE_PROCESSES,	/* -p: their threads now, and their threads and children to come */
	TASK_SCOPE_THREADS,	/* -t: these threads and no others */
	TASK_SCOPE_USER,	/* -u: the processes of a user now, and their children to come */
	TASK_SCOPE_CGROUPS,	/* -G: the tasks in them, now or later */
	TASK_SCOPE_COMMAND,	/* a child of pload, from its exec on */
};

/* The options as written; all texts are borrowed. At most one of the task scopes is set. */
struct event_scope_options {
	const char *cpus;	/* -C; NULL: all that are online */
	const char *processes, *threads;	/* "12,34" */
	const char *user;	/* a number, or a name of /etc/passwd */
	const char *cgroups;	/* "a,b" */
	pid_t command;		/* 0: none */
	bool no_inherit;	/* exclude threads and children to come */
};

struct event_cgroup {
	char *name;		/* owned; as written */
	int fd;			/* owned; its directory */
};

/* The options, looked up. */
struct event_scope {
	enum task_scope tasks;
	struct cpu_list cpus;	/* owned; all online, kept current by cpu_hotplug.h. Empty for a
				 * task scope without -C */
	pid_t *tids;		/* owned, ascending; NULL: not by task */
	unsigned int nr_tids;
	struct event_cgroup *cgroups;	/* owned; NULL: not by cgroup */
	unsigned int nr_cgroups;
	bool cpus_given;	/* -C was given */
	bool inherit;		/* include threads and children to come */
	struct event_scope_options asked;
	struct cpu_list offline;	/* owned; filled by event_scope_offline() */
};

/**
 * event_scope_init() - Look up the CPUs, tasks or cgroups that @asked names.
 *
 * Return: 0 or -errno: a CPU is not online ("scope/offline-cpu"), a process or thread does not
 * exist ("scope/no-process", "scope/no-thread"), a directory is no cgroup ("scope/not-a-cgroup",
 * "scope/no-cgroup"), no user has that name ("scope/no-user").
 */
int event_scope_init(struct sys *sys, struct event_scope *scope,
		     const struct event_scope_options *asked, struct error *err);
void event_scope_free(struct sys *sys, struct event_scope *scope);

/** event_scope_by_task() - Return true for -p, -t, -u and a command: neither all nor cgroups. */
bool event_scope_by_task(const struct event_scope *scope);

/**
 * event_scope_offline() - Fill scope->offline with the CPUs of -C, or else all possible ones, that
 * scope->cpus lacks: nothing runs there, and a summary reports it. None for a scope by task.
 */
int event_scope_offline(struct sys *sys, struct event_scope *scope, struct error *err);

/* --- tasks and processes: scope.c, processes.c --- */

/* A process of a scope by task. */
struct event_process {
	pid_t pid;
	pid_t *tids;		/* borrowed from event_processes; the main thread comes first */
	unsigned int nr_tids;
};

struct event_processes {
	struct event_process *list;	/* owned, ascending */
	unsigned int nr;		/* at least 1 */
	pid_t *tids;			/* owned */
};

/**
 * event_processes_list() - List the processes of @scope, which is by task. On failure @p is empty.
 * Return: 0 or -errno; -ESRCH if all of them have ended ("scope/no-process").
 */
int event_processes_list(struct sys *sys, const struct event_scope *scope,
			 struct event_processes *p, struct error *err);
void event_processes_free(struct event_processes *p);

/**
 * event_tasks_check() - Check that @text is a list of task numbers, "12,34".
 * @what: what they number, for messages: "process".
 *
 * event_tasks_next() - Return the first number of a checked list and advance *@text past it, to ""
 * after the last one.
 */
int event_tasks_check(const char *text, const char *what, struct error *err);
pid_t event_tasks_next(const char **text);

#endif
