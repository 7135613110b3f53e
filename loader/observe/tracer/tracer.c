// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tasks of a tracer: report each stop of a task to the client, and resume the task. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/bytes.h"
#include "loader/observe/tracer/tracer.h"

/* A child inherits these options. Each of them causes a stop, which takes some microseconds. */
#define OPTIONS (PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | \
		 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD)
#define SYSCALL_STOP (SIGTRAP | 0x80)

long proc_number(pid_t pid, const char *key)
{
	char path[64], line[256];
	long number = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && number < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			number = strtol(line + strlen(key), NULL, 10);
	if (file)
		fclose(file);
	return number;
}

/* --- tasks --- */

static struct traced_task *find(struct tracer *t, pid_t pid)
{
	for (unsigned int i = 0; i < t->nr_tasks; i++)
		if (t->tasks[i].pid == pid)
			return &t->tasks[i];
	return NULL;
}

static bool has_process(const struct tracer *t, pid_t tgid)
{
	for (unsigned int i = 0; i < t->nr_tasks; i++)
		if (t->tasks[i].tgid == tgid)
			return true;
	return false;
}

/*
 * Add a task. @parent: the process that forked it, or 0. Without memory, return NULL and ignore the
 * task.
 */
static struct traced_task *add(struct tracer *t, pid_t pid, pid_t tgid, pid_t parent)
{
	const bool is_new = !has_process(t, tgid);	/* before the array moves */
	struct traced_task *task = array_grow(t->tasks, t->nr_tasks, sizeof(*task));

	if (!task)
		return NULL;
	t->tasks = task;
	task += t->nr_tasks++;
	*task = (struct traced_task){ .pid = pid, .tgid = tgid };
	if (is_new)
		t->client->began(t, tgid, parent);
	return task;
}

/* Return the task; add it if it is new. */
static struct traced_task *task_of(struct tracer *t, pid_t pid)
{
	struct traced_task *task = find(t, pid);
	long tgid, parent;

	if (task)
		return task;
	tgid = proc_number(pid, "Tgid:");
	parent = pid == t->first ? 0 : proc_number(pid, "PPid:");
	return add(t, pid, tgid > 0 ? tgid : pid, parent > 0 ? parent : 0);
}

static void forget(struct tracer *t, struct traced_task *task)
{
	const struct traced_task gone = *task;

	*task = t->tasks[--t->nr_tasks];
	t->client->gone(t, (struct traced_task *)&gone, !has_process(t, gone.tgid));
}

/*
 * A thread that executes a program gets the pid of its process, and all other threads are gone.
 * Nothing reports the end of the thread id that it had before (de_thread() in fs/exec.c).
 */
static void executed(struct tracer *t, pid_t tgid)
{
	struct traced_task *task = task_of(t, tgid);

	for (unsigned int i = t->nr_tasks; i-- > 0;)
		if (t->tasks[i].tgid == tgid && t->tasks[i].pid != tgid)
			forget(t, &t->tasks[i]);
	task = find(t, tgid);
	if (task)
		task->in_call = task->exiting = false;
	/* Before resuming the command: it may kill us. */
	if (tgid == t->first && !t->executed && write(t->done_fd, "b", 1) == 1)
		t->executed = true;
	t->client->executed(t, tgid);
}

static void exiting(struct tracer *t, struct traced_task *task)
{
	task->exiting = true;
	for (unsigned int i = 0; i < t->nr_tasks; i++)
		if (t->tasks[i].tgid == task->tgid && !t->tasks[i].exiting)
			return;
	t->client->exiting(t, task->tgid);
}

/*
 * A task has created another one, whose stops, and even its end, may have been reported before.
 * While the parent is stopped, both have the same descriptors.
 */
static void forked(struct tracer *t, pid_t parent, int event)
{
	const struct traced_task *task = find(t, parent);
	unsigned long child = 0;

	if (!task || ptrace(PTRACE_GETEVENTMSG, parent, 0, &child) || !child || find(t, child) ||
	    proc_number(child, "TracerPid:") != getpid())
		return;
	if (event == PTRACE_EVENT_CLONE)
		task_of(t, child);
	else
		add(t, child, child, task->tgid);
}

/* --- stops --- */

static bool enter_call(struct tracer *t, struct traced_task *task, uint64_t nr,
		       const uint64_t *arg)
{
	if (!task->matters) {
		task->matters = true;
		ptrace(PTRACE_SETOPTIONS, task->pid, 0, OPTIONS | PTRACE_O_TRACEEXIT);
	}
	task->nr = nr;
	for (int i = 0; i < 6; i++)
		task->arg[i] = arg[i];
	task->in_call = filter_matches(task->nr, task->arg) && t->client->entered(t, task);
	return task->in_call;
}

/* Return true if the task must stop again when the call returns. */
static bool stopped_in_call(struct tracer *t, struct traced_task *task)
{
	struct __ptrace_syscall_info info;

	memset(&info, 0, sizeof(info));
	if (ptrace(PTRACE_GET_SYSCALL_INFO, task->pid, sizeof(info), &info) <= 0)
		return false;
	switch (info.op) {
	case PTRACE_SYSCALL_INFO_SECCOMP:
		if (info.seccomp.ret_data != FILTER_FOREIGN)
			return enter_call(t, task, info.seccomp.nr, info.seccomp.args);
		t->client->foreign(t, task->tgid);
		return false;
	case PTRACE_SYSCALL_INFO_ENTRY:
		if (t->by_filter)
			return true;
		if (filter_is_foreign(info.arch, info.entry.nr))
			t->client->foreign(t, task->tgid);
		else
			enter_call(t, task, info.entry.nr, info.entry.args);
		return true;
	case PTRACE_SYSCALL_INFO_EXIT:
		if (task->in_call) {
			task->in_call = false;
			t->client->returned(t, task, info.exit.rval);
		}
		return false;
	}
	return false;
}

static void stopped(struct tracer *t, pid_t pid, int status)
{
	const int signal = WSTOPSIG(status), event = status >> 16;
	struct traced_task *task = task_of(t, pid);
	bool until_return = false;

	if (event == PTRACE_EVENT_EXEC) {
		executed(t, pid);
	} else if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
		   event == PTRACE_EVENT_CLONE) {
		forked(t, pid, event);
	} else if (task && (event == PTRACE_EVENT_SECCOMP || signal == SYSCALL_STOP)) {
		until_return = stopped_in_call(t, task);
	} else if (task && event == PTRACE_EVENT_EXIT) {
		exiting(t, task);
	} else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
		ptrace(PTRACE_LISTEN, pid, 0, 0);
		return;
	}
	ptrace(until_return || !t->by_filter ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0,
	       event || signal == SYSCALL_STOP ? 0 : signal);
	t->client->resumed(t);
}

bool tracer_step(struct tracer *t)
{
	struct traced_task *task;
	int status;
	pid_t pid = waitpid(-1, &status, __WALL);

	if (pid < 0)
		return errno == EINTR;
	if (WIFSTOPPED(status)) {
		stopped(t, pid, status);
		return true;
	}
	if (pid == t->first)
		t->status = status;
	task = find(t, pid);
	if (task)
		forget(t, task);
	return true;
}

/*
 * Other processes of the command may be about to exit as well, because a shell does not wait for
 * all of them. Do not wait long: a daemon never exits.
 */
static void run_to_end(struct tracer *t)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int status;

	for (int i = 0; i < 20 && t->nr_tasks; i++) {
		while (waitpid(-1, &status, __WALL | WNOHANG | WNOWAIT) > 0 && tracer_step(t))
			;
		if (t->nr_tasks)
			nanosleep(&moment, NULL);
	}
}

void tracer_run(struct tracer *t)
{
	while (!t->detaching && t->nr_tasks && t->status < 0 && tracer_step(t))
		;
	if (t->status >= 0)
		run_to_end(t);
}

/* --- the beginning and the end --- */

int tracer_seize(struct tracer *t, pid_t pid, struct error *err)
{
	if (ptrace(PTRACE_SEIZE, pid, 0, OPTIONS) < 0)
		return error_set(err, errno, "process %d: ptrace: %s", pid, error_strerror(errno));
	task_of(t, pid);
	return 0;
}

/* Keep tracing tasks that have a filter, but without a client. It does not return. */
static void keep(void)
{
	int status;
	pid_t pid;

	for (int fd = sysconf(_SC_OPEN_MAX) < 4096 ? sysconf(_SC_OPEN_MAX) : 4096; fd-- > 0;)
		close(fd);
	if (chdir("/"))
		_exit(1);
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		const int signal = WSTOPSIG(status), event = status >> 16;

		if (pid < 0 || !WIFSTOPPED(status))
			continue;
		if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
			ptrace(PTRACE_LISTEN, pid, 0, 0);
		else
			ptrace(PTRACE_CONT, pid, 0,
			       event || signal == SYSCALL_STOP ? 0 : signal);
	}
	_exit(0);
}

void tracer_leave(struct tracer *t)
{
	pid_t printer;

	if (!t->nr_tasks)
		return;
	fflush(NULL);
	printer = fork();
	if (!printer)
		return;
	if (printer > 0 && t->by_filter)
		keep();
	if (printer > 0)
		_exit(0);
}

void tracer_free(struct tracer *t)
{
	free(t->tasks);
	t->tasks = NULL;
	t->nr_tasks = 0;
	if (t->executed && write(t->done_fd, "e", 1) < 0)
		t->executed = false;	/* nobody waits for it any more */
}
