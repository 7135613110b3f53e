/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside the watching of a loader: its tasks, and what is done at each of their system calls. */
#ifndef PLOAD_TEST_JUDGE_WATCH_H
#define PLOAD_TEST_JUDGE_WATCH_H

#include "test/judge/judge.h"

/* A thread of the loader or of a process that it has started. */
struct task {
	pid_t pid, tgid;
	bool in_call;		/* between the entry of a call that matters and its return */
	long nr;
	unsigned long args[6];
	union bpf_attr attr;	/* of bpf(2) */
	uint32_t attr_size;
	int made;		/* index of what the call adds to run->seen, or -1 */
};

struct watch {
	struct run *run;
	pid_t child;		/* the first process */
	struct task *tasks;	/* owned */
	uint32_t nr_tasks;
	bool exited;		/* the first process has ended */
	bool looked;		/* call_look() was called */
};

/* filter.c: the system calls for which the kernel stops a task; with @failing, one fails. */
bool filter_install(const struct failing *failing);

/*
 * calls.c: the entry of a call and its return. call_enter() returns true if the return matters,
 * too.
 */
bool call_enter(struct watch *watch, struct task *task);
void call_leave(struct watch *watch, struct task *task, long ret);
/* call_look() - Look at the maps and programs that exist, before the loader closes them. */
void call_look(struct run *run);

/* Copy memory of a task. Return: the number of bytes. */
size_t task_read(pid_t pid, uint64_t address, void *to, size_t size);
void task_string(pid_t pid, uint64_t address, char *to, size_t size);
/* task_fd() - Return a duplicate of its descriptor, or -1. */
int task_fd(const struct task *task, int fd);

#endif
