/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The observer of other processes: it stops them (ptrace(2)) at the calls that load and attach BPF
 * programs, and reports each call to its client.
 */
#ifndef PLOAD_OBSERVE_TRACER_TRACER_H
#define PLOAD_OBSERVE_TRACER_TRACER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "elf/error.h"

/* A thread that is traced. */
struct traced_task {
	pid_t pid, tgid;
	bool in_call;		/* between entry to and return from a relevant call */
	bool exiting, matters;	/* relevant: it has made such a call */
	long nr;		/* of that call, with its arguments */
	unsigned long arg[6];
	void *call;		/* the client's, of that call */
};

struct tracer;

/* The task is stopped in all callbacks except resumed() and gone(). */
struct tracer_client {
	/* A call was entered. Return true to be called when it returns, too. */
	bool (*entered)(struct tracer *t, struct traced_task *task);
	void (*returned)(struct tracer *t, struct traced_task *task, long ret);
	/* The task of returned() was resumed: do now what takes long. */
	void (*resumed)(struct tracer *t);
	/* A new process, which has the descriptors of @parent (0: the first process). */
	void (*began)(struct tracer *t, pid_t pid, pid_t parent);
	void (*executed)(struct tracer *t, pid_t pid);
	/*
	 * A process is exiting, but still has its descriptors. Only called if all its threads have
	 * made relevant calls: the others do not stop when they exit.
	 */
	void (*exiting)(struct tracer *t, pid_t pid);
	/* A call through another ABI (32 bits, x32), which is not decoded. */
	void (*foreign)(struct tracer *t, pid_t pid);
	/* A task is gone: free task->call. @last: it was the last one of its process. */
	void (*gone)(struct tracer *t, struct traced_task *task, bool last);
};

struct tracer {
	const struct tracer_client *client;
	struct traced_task *tasks;	/* owned */
	unsigned int nr_tasks;
	pid_t first;		/* the command, or the process of -p */
	int status;		/* of the command, as from waitpid(2); -1: it has not ended */
	bool by_filter;		/* a filter stops the tasks; otherwise, every system call does */
	bool detaching;		/* a signal ended the observation */
	bool executed;		/* the command has begun */
	int done_fd;		/* closed to tell the first process that everything is printed */
	bool no_privileges;	/* of the command: set-user-ID programs gain no privileges */
};

/**
 * tracer_start() - Run @argv, and trace it and all processes that it starts (start.c).
 * @exit_code: receives that of a command that cannot be executed
 *
 * tracer_attach() - Trace all threads of @pid, from now on.
 *
 * They return in a new process, the tracer. The process that has called them waits for the command
 * and the tracer, passes signals on, and ends as the command does.
 * Return: 0 or -errno: "command/..." if the command cannot be executed, "watch/...".
 */
int tracer_start(struct tracer *t, char *const *argv, int *exit_code, struct error *err);
int tracer_attach(struct tracer *t, pid_t pid, struct error *err);

/* tracer_seize() - Trace one task. tracer_step() - Wait for one event. Return: false: none left. */
int tracer_seize(struct tracer *t, pid_t pid, struct error *err);
bool tracer_step(struct tracer *t);

/**
 * tracer_run() - Pass calls to the client until the command has ended, all processes of -p have, or
 * a signal ends the observation of -p.
 */
void tracer_run(struct tracer *t);

/**
 * tracer_leave() - Let the remaining tasks run on without a client.
 *
 * If there are any, it returns in a new process, so that they do not wait for what it prints. The
 * old one ends, which detaches them; but if they have a filter it stays until the last one ends,
 * because calls at which a filter stops a task fail with ENOSYS when the task has no tracer.
 */
void tracer_leave(struct tracer *t);
void tracer_free(struct tracer *t);

/** proc_number() - Return the number after @key ("Tgid:") in /proc/@pid/status, or -1. */
long proc_number(pid_t pid, const char *key);

/* --- filter.c --- */

/* Values of SECCOMP_RET_DATA. */
enum { FILTER_CALL = 0, FILTER_FOREIGN = 1 };

/**
 * filter_install() - Let this process and its children stop at calls that matter.
 * @no_privileges: receives true if that takes PR_SET_NO_NEW_PRIVS, for lack of CAP_SYS_ADMIN
 *
 * Return: 0 or -errno.
 */
int filter_install(bool *no_privileges);

/**
 * filter_matches() - Return true if the filter would stop at this call. filter_is_foreign() -
 * Return true if it would, and the call uses another ABI.
 */
bool filter_matches(long nr, const unsigned long arg[6]);
bool filter_is_foreign(uint32_t arch, uint64_t nr);

#endif
