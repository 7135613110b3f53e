// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The processes that the tasks of a scope belong to, because a uprobe is in a process's memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/events/scope/scope_internal.h"

struct task {
	pid_t pid, tid;
};

static int find_tgid(void *arg, char *line)
{
	static const char key[] = "Tgid:\t";
	uint64_t pid;

	if (strncmp(line, key, strlen(key)))
		return 0;
	line += strlen(key);
	if (number_parse(line, strlen(line), &pid) || pid == 0 || pid > INT32_MAX)
		return -EIO;
	*(pid_t *)arg = pid;
	return 1;
}

/* Return the process of @tid; 0 if it has ended; or -errno. */
static pid_t process_of(struct sys *sys, pid_t tid)
{
	char path[32];
	pid_t pid = 0;
	int ret;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	ret = sys_each_line_of(sys, AT_FDCWD, path, find_tgid, &pid);
	if (ret == -ENOENT || ret == -ESRCH)
		return 0;
	return ret < 0 ? ret : pid;
}

/* Sort by process; the main thread, which usually lives longest, comes first. */
static int compare(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if ((x->tid == x->pid) != (y->tid == y->pid))
		return x->tid == x->pid ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int list_tasks(struct sys *sys, const struct event_scope *scope, struct task *tasks)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < scope->nr_tids; i++) {
		const pid_t pid = process_of(sys, scope->tids[i]);

		if (pid < 0)
			return pid;
		if (pid)
			tasks[nr++] = (struct task){ pid, scope->tids[i] };
	}
	qsort(tasks, nr, sizeof(*tasks), compare);
	return nr;
}

static unsigned int collect(const struct task *tasks, unsigned int nr_tasks,
			    struct event_processes *p)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < nr_tasks; i++) {
		p->tids[i] = tasks[i].tid;
		if (!i || tasks[i].pid != tasks[i - 1].pid)
			p->list[nr++] = (struct event_process){ tasks[i].pid, &p->tids[i], 0 };
		p->list[nr - 1].nr_tids++;
	}
	return nr;
}

int event_processes_list(struct sys *sys, const struct event_scope *scope,
			 struct event_processes *p, struct error *err)
{
	struct task *tasks = calloc(scope->nr_tids + 1, sizeof(*tasks));
	int ret = -ENOMEM;

	*p = (struct event_processes){
		.list = calloc(scope->nr_tids + 1, sizeof(*p->list)),
		.tids = calloc(scope->nr_tids + 1, sizeof(*p->tids)),
	};
	if (tasks && p->list && p->tids)
		ret = list_tasks(sys, scope, tasks);
	if (ret > 0)
		p->nr = collect(tasks, ret, p);
	free(tasks);
	if (ret > 0)
		return 0;
	event_processes_free(p);
	if (ret < 0)
		return error_set(err, -ret, "cannot look up the processes of tasks: %s",
				 error_strerror(-ret));
	error_set(err, ESRCH, "all of its processes have ended");
	error_reason(err, "scope/no-process");
	error_hint(err, "-p takes the pid of a running process");
	return -ESRCH;
}

void event_processes_free(struct event_processes *p)
{
	free(p->list);
	free(p->tids);
	*p = (struct event_processes){ 0 };
}
