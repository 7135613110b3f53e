/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internals of watching a loader: its tasks, and the handling of each of their system calls. */
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
	/* The attr of perf_event_open(), parts of which the judge replaces: */
	struct { uint32_t type, size; uint64_t config, period, sample_type, read_format, flags; } attr_passed;
	bool type_replaced, period_replaced;
	bool exiting;
};

struct watch {
	struct run *run;
	pid_t init;		/* of the loader's namespaces */
	pid_t child;		/* the first process of the loader; 0: it has not begun */
	struct task *tasks;	/* owned */
	uint32_t nr_tasks;
	bool exited;		/* the first process has ended */
	bool looked;		/* call_look() was called */
	bool more;		/* tasks may have stopped that were not looked at */
};

struct pipes {
	int in, out, err;	/* our ends */
	int signals;		/* readable when a task has stopped or ended */
};

/* start.c: the loader runs, and is traced; false with run->sentence set if it cannot. */
bool start_loader(struct watch *watch, struct pipes *pipes);
/* task_of() - Return the task, a new one if it is not known. */
struct task *task_of(struct watch *watch, pid_t pid);

/* confine.c: hide all processes but those of this namespace, and drop what controls a machine. */
bool confine(void);
/* limit_...() - Put the process into control groups; run->unlimited names what has none. */
void limit_memory_and_processes(struct run *run, pid_t pid);
/* remove_groups() - Return true if none of the run is left. */
bool remove_groups(const struct run *run);

/**
 * keep() - Run @judge in a child, and remove what is left if it is killed.
 * Return: the status of @judge; -1 with run->sentence set if it has none.
 */
int keep(struct run *run, int (*judge)(struct run *run));

#define KEPT_MAX (64 << 20)	/* bytes that the judge keeps of a loader: run->seen.kept */
#define FOREIGN_CALL 1	/* the filter's data of a call of another ABI */

/*
 * filter.c: the system calls for which the kernel stops a task, with @files also those that open one;
 * with @failing, one fails.
 */
bool judge_filter_install(const struct failing *failing, bool files);

/*
 * calls.c: the entry of a call and its return. call_enter() returns true if the return matters,
 * too.
 */
bool call_enter(struct run *run, struct task *task);
void call_leave(struct run *run, struct task *task, long ret);
/* call_look() - Look at what exists, before the loader closes it: maps, programs, events, links. */
void call_look(struct run *run, const struct task *tasks, uint32_t nr_tasks);

/*
 * snapshot_take() - Look at the programs and maps that exist now, and, unless one of them @ran, at
 * the maps' elements.
 * @tasks: those that may have them open
 */
void snapshot_take(struct run *run, const struct task *tasks, uint32_t nr_tasks, bool ran);

/* Copy memory of a task. Return: the number of bytes. */
size_t task_read(pid_t pid, uint64_t address, void *to, size_t size);
void task_string(pid_t pid, uint64_t address, char *to, size_t size);
/* task_fd() - Return a duplicate of its descriptor, or -1. */
int task_fd(const struct task *task, int fd);

#endif
