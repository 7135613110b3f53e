// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Watch a loader: its process and all that it starts are traced (ptrace(2)) and stop at the calls
 * of filter.c. Its output is read as it comes, and its time is limited.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/judge/watch.h"

#define OUTPUT_MAX (1 << 20)
#define STEP_MS 20
#define LATE_MS 1000
#define STOPS_PER_TURN 100

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

size_t task_read(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)address, size };
	const ssize_t got = size ? process_vm_readv(pid, &local, 1, &remote, 1, 0) : 0;

	return got < 0 ? 0 : got;
}

void task_string(pid_t pid, uint64_t address, char *to, size_t size)
{
	size_t n = 0;

	/* Bytewise: the page after the string may not exist. */
	while (n + 1 < size && task_read(pid, address + n, to + n, 1) == 1 && to[n])
		n++;
	to[n] = 0;
}

static pid_t tgid_of(pid_t pid)
{
	char path[64], line[128];
	int tgid = pid;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in) && sscanf(line, "Tgid: %d", &tgid) != 1)
		;
	if (in)
		fclose(in);
	return tgid;
}

struct task *task_of(struct watch *watch, pid_t pid)
{
	struct task *tasks;

	for (uint32_t i = 0; i < watch->nr_tasks; i++)
		if (watch->tasks[i].pid == pid)
			return &watch->tasks[i];
	tasks = array_grow(watch->tasks, watch->nr_tasks, sizeof(*tasks));
	if (!tasks)
		abort();
	watch->tasks = tasks;
	/* All others are started by the first that the init starts. */
	if (pid != watch->init && !watch->child)
		watch->child = pid;
	tasks[watch->nr_tasks] = (struct task){ .pid = pid, .tgid = tgid_of(pid), .made = -1 };
	return &tasks[watch->nr_tasks++];
}

static void task_ended(struct watch *watch, pid_t pid)
{
	for (uint32_t i = 0; i < watch->nr_tasks; i++)
		if (watch->tasks[i].pid == pid)
			watch->tasks[i] = watch->tasks[--watch->nr_tasks];
}

/*
 * The thread that executes a program takes the number of its process, and the other threads are
 * gone: nothing reports the end of the number that it had (de_thread() of fs/exec.c).
 */
static void task_executed(struct watch *watch, pid_t tgid)
{
	for (uint32_t i = watch->nr_tasks; i--;)
		if (watch->tasks[i].tgid == tgid && watch->tasks[i].pid != tgid)
			task_ended(watch, watch->tasks[i].pid);
	task_of(watch, tgid)->in_call = false;
	task_of(watch, tgid)->exiting = false;
}

static bool is_exiting(const struct watch *watch, pid_t pid)
{
	for (uint32_t i = 0; i < watch->nr_tasks; i++)
		if (watch->tasks[i].pid == pid)
			return watch->tasks[i].exiting;
	return false;	/* a thread that has not stopped yet */
}

/* Return true if no thread of the first process continues: what it has open still exists. */
static bool first_is_exiting(struct watch *watch, pid_t pid)
{
	struct dirent *entry;
	char path[32];
	bool all = true;
	DIR *dir;

	task_of(watch, pid)->exiting = true;
	if (task_of(watch, pid)->tgid != watch->child)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/task", watch->child);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		all &= entry->d_name[0] == '.' || is_exiting(watch, atoi(entry->d_name));
	if (dir)
		closedir(dir);
	return all;
}

/* A loader that executes another one has not written its own. */
static void look_at_program(struct watch *watch, pid_t pid)
{
	char path[64], program[512];
	const char *name;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = readlink(path, program, sizeof(program) - 1);
	if (len < 0 || watch->run->is_peer)
		return;
	program[len] = 0;
	name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
	if (!strcmp(name, "pload") || !strcmp(name, "bpftool"))
		snprintf(watch->run->seen.spied, sizeof(watch->run->seen.spied),
			 "your program executes %.80s, which is a loader that somebody else has written",
			 name);
}

static void look(struct watch *watch)
{
	if (!watch->looked)
		call_look(watch->run, watch->tasks, watch->nr_tasks);
	watch->looked = true;
}

static bool stopped_in_call(struct watch *watch, pid_t pid)
{
	struct task *task = task_of(watch, pid);
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return false;
	if (info.op == PTRACE_SYSCALL_INFO_SECCOMP && info.seccomp.ret_data == FOREIGN_CALL) {
		snprintf(watch->run->seen.spied, sizeof(watch->run->seen.spied), "your program makes "
			 "system calls of another ABI (32 bits, x32), which the judge does not watch: "
			 "compile it for this machine");
		return false;
	}
	if (info.op == PTRACE_SYSCALL_INFO_SECCOMP) {
		task->nr = info.seccomp.nr;
		for (int i = 0; i < 6; i++)
			task->args[i] = info.seccomp.args[i];
		task->in_call = call_enter(watch->run, task);
		return task->in_call;
	}
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && task->in_call) {
		task->in_call = false;
		call_leave(watch->run, task, info.exit.rval);
	}
	return false;
}

static void stopped(struct watch *watch, pid_t pid, int status)
{
	const int signal = WSTOPSIG(status), event = status >> 16;
	bool until_return = false;

	if (event == PTRACE_EVENT_SECCOMP || signal == (SIGTRAP | 0x80)) {
		until_return = stopped_in_call(watch, pid);
	} else if (event == PTRACE_EVENT_EXEC) {
		task_executed(watch, pid);
		look_at_program(watch, pid);
	} else if (event == PTRACE_EVENT_EXIT && first_is_exiting(watch, pid)) {
		look(watch);
	} else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
		ptrace(PTRACE_LISTEN, pid, 0, 0);
		return;
	}
	if (watch->run->seen.spied[0])
		kill(pid, SIGKILL);
	ptrace(until_return ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0,
	       event || signal == (SIGTRAP | 0x80) ? 0 : signal);
}

/*
 * Handle whatever has stopped or exited. Return true if there may be more, but check the time
 * first.
 */
static bool wait_for_tasks(struct watch *watch)
{
	int status, nr = 0;
	pid_t pid = 0;

	while (nr++ < STOPS_PER_TURN && (pid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
		if (WIFSTOPPED(status)) {
			task_of(watch, pid);
			stopped(watch, pid, status);
			continue;
		}
		task_ended(watch, pid);
		if (pid == watch->child) {
			watch->exited = true;
			watch->run->first_ended = !watch->run->timed_out;
			watch->run->status = status;
		}
	}
	return pid > 0;
}

/* Append what can be read. @fd becomes -1 at its end. */
static void drain(struct run *run, int *fd, struct text *text)
{
	char buf[65536];
	const ssize_t got = *fd < 0 ? -1 : read(*fd, buf, sizeof(buf));

	if (got == 0) {
		close(*fd);
		*fd = -1;
	}
	if (got <= 0)
		return;
	if (text->len + got > OUTPUT_MAX) {
		run->flooded = true;
		return;
	}
	text->bytes = realloc(text->bytes, text->len + got + 1);
	if (!text->bytes)
		abort();
	memcpy(text->bytes + text->len, buf, got);
	text->len += got;
	text->bytes[text->len] = 0;
}

/* Wait up to @ms, or until something happens, and take what did. */
static void turn(struct watch *watch, struct pipes *pipes, int ms)
{
	struct pollfd fds[] = { { pipes->signals, POLLIN, 0 }, { pipes->out, POLLIN, 0 },
				{ pipes->err, POLLIN, 0 } };
	struct signalfd_siginfo info[16];
	ssize_t got;

	poll(fds, 3, watch->more ? 0 : ms);
	if (fds[0].revents)
		while ((got = read(pipes->signals, info, sizeof(info))) > 0)
			for (size_t i = 0; i < got / sizeof(*info); i++)
				if (info[i].ssi_signo != SIGCHLD)
					watch->run->signal = info[i].ssi_signo;
	watch->more = wait_for_tasks(watch);
	if (fds[1].revents)
		drain(watch->run, &pipes->out, &watch->run->out);
	if (fds[2].revents)
		drain(watch->run, &pipes->err, &watch->run->err);
	if (!watch->run->ready && line_exists(watch->run, "ready")) {
		watch->run->ready = true;
		for (uint32_t i = 0; i < watch->run->seen.nr_binds; i++)
			watch->run->bound_when_ready |= !watch->run->seen.binds[i].error;
	}
}

static bool has_to_end(const struct watch *watch)
{
	const struct run *run = watch->run;

	return run->flooded || run->signal || run->seen.spied[0] || run->timed_out;
}

/* A loader that waits without "ready" may have it in a buffer, which it writes when it ends. */
static void end_input_early(struct watch *watch, struct pipes *pipes)
{
	const int64_t end = now_ms() + LATE_MS;

	close(pipes->in);
	pipes->in = -1;
	while (!watch->run->ready && !watch->exited && now_ms() < end)
		turn(watch, pipes, STEP_MS);
	/* The pipe may have the last lines of a loader that has ended. */
	turn(watch, pipes, 0);
	watch->run->late_ready = watch->run->ready;
	watch->run->ready = false;
}

/* Loop until the loader is ready, has exited, or must be ended. */
static void turn_until_ready(struct watch *watch, struct pipes *pipes)
{
	const int64_t end = now_ms() + watch->run->limit * 1000LL;

	while (!watch->run->ready && !watch->exited && !has_to_end(watch)) {
		if (now_ms() > end) {
			watch->run->timed_out = true;
			end_input_early(watch, pipes);
			break;
		}
		turn(watch, pipes, STEP_MS);
	}
}

/* Loop until what the stage waits for has happened, or the loader has exited. */
static void turn_until_enough(struct watch *watch, struct pipes *pipes)
{
	struct run *run = watch->run;
	const int64_t end = now_ms() + run->limit * 1000LL;

	if (!run->ready)
		return;
	while (!run->enough && !watch->exited && !has_to_end(watch) && now_ms() < end) {
		run->enough = !run->stage->until || run->stage->until(run);
		turn(watch, pipes, run->enough ? 0 : STEP_MS);
	}
	run->looked_ready = !watch->exited && !watch->looked;
	if (!watch->exited)
		look(watch);
}

static void turn_until_end(struct watch *watch, struct pipes *pipes)
{
	const int64_t end = now_ms() + watch->run->limit * 1000LL;

	if (watch->run->interrupt && watch->child)
		kill(-watch->child, SIGINT);	/* as a terminal does */
	else if (pipes->in >= 0)
		close(pipes->in);
	while ((watch->nr_tasks || pipes->out >= 0 || pipes->err >= 0) && !has_to_end(watch)) {
		if (now_ms() > end)
			watch->run->timed_out = true;
		/* A process that is gone has written all it will, unless another has its pipe. */
		turn(watch, pipes, STEP_MS);
	}
	if (watch->run->interrupt)
		close(pipes->in);
	pipes->in = -1;
}

/* With its init, a namespace ends, whoever is in it. */
static void end_tasks(struct watch *watch, struct pipes *pipes)
{
	if (watch->nr_tasks)
		kill(watch->init, SIGKILL);
	for (int i = 0; i < 500 && watch->nr_tasks; i++)
		turn(watch, pipes, STEP_MS);
	for (int *fd = (int[]){ pipes->in, pipes->out, pipes->err, pipes->signals, -2 }; *fd != -2; fd++)
		if (*fd >= 0)
			close(*fd);
}

bool watch(struct run *run)
{
	struct watch watch = { .run = run };
	struct pipes pipes = { -1, -1, -1, -1 };

	if (start_loader(&watch, &pipes)) {
		turn_until_ready(&watch, &pipes);
		turn_until_enough(&watch, &pipes);
		turn_until_end(&watch, &pipes);
		end_tasks(&watch, &pipes);
	}
	for (uint32_t i = 0; i < run->seen.nr_pins; i++)
		if (!run->stage->pin || strncmp(run->seen.pins[i].path, run->pin, strlen(run->pin)))
			unlink(run->seen.pins[i].path);
	free(watch.tasks);
	return !run->sentence[0];
}

void watch_forget(struct run *run)
{
	struct seen *seen = &run->seen;

	for (uint32_t i = 0; i < seen->nr_maps; i++)
		free(seen->maps[i].value), free(seen->maps[i].elements);
	for (uint32_t i = 0; i < seen->nr_progs; i++) {
		free(seen->progs[i].insns);
		free(seen->progs[i].map_ids);
		free(seen->progs[i].func_info);
		free(seen->progs[i].line_info);
		free(seen->progs[i].log);
	}
	for (uint32_t i = 0; i < seen->nr_pins; i++)
		free(seen->pins[i].path);
	for (uint32_t i = 0; i < seen->nr_btfs; i++)
		free((void *)seen->btfs[i].bytes.data);
	free(seen->btfs);
	free(seen->maps);
	free(seen->progs);
	free(seen->events);
	free(seen->binds);
	free(seen->pins);
	free(run->out.bytes);
	free(run->err.bytes);
	memset(seen, 0, sizeof(*seen));
	run->out = run->err = (struct text){ 0 };
	run->first_ended = run->bound_when_ready = run->looked_ready = run->late_ready = false;
	run->ready = run->enough = false;
	run->timed_out = run->flooded = false;
	run->status = 0;
}
