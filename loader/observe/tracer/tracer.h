/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The observer of other processes: it stops them (ptrace(2)) at the calls by which programs of BPF
 * are loaded and attached, and passes each to its client.
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
	bool in_call;		/* between the entry of a call that matters and its return */
	bool exiting, matters;	/* matters: it has made such a call */
	long nr;		/* of that call, with its arguments */
	unsigned long arg[6];
	void *call;		/* the client's, of that call */
};

struct tracer;

/* The client is called while the task is stopped, but by resumed() and gone(). */
struct tracer_client {
	/* A call begins. Return true to be called when it returns, too. */
	bool (*entered)(struct tracer *t, struct traced_task *task);
	void (*returned)(struct tracer *t, struct traced_task *task, long ret);
	/* The task of returned() runs again: what takes long is done now. */
	void (*resumed)(struct tracer *t);
	/* A new process, which has the descriptors of @parent (0: it is the first one). */
	void (*began)(struct tracer *t, pid_t pid, pid_t parent);
	void (*executed)(struct tracer *t, pid_t pid);
	/*
	 * A process exits, and still has its descriptors. It is called if all threads have made
	 * calls that matter: the others do not stop at their end.
	 */
	void (*exiting)(struct tracer *t, pid_t pid);
	/* A call of another ABI (32 bits, x32), which is not decoded. */
	void (*foreign)(struct tracer *t, pid_t pid);
	/* A task is gone: free task->call. @last: it was the last one of its process. */
	void (*gone)(struct tracer *t, struct traced_task *task, bool last);
};

struct tracer {
	const struct tracer_client *client;
	struct traced_task *tasks;	/* owned */
	unsigned int nr_tasks;
	pid_t first;		/* the command, or the process of -p */
	int status;		/* of the command, as waitpid(2) has it; -1: it has not ended */
	bool by_filter;		/* a filter stops the tasks; else each system call does */
	bool detaching;		/* a signal has ended the observation */
	bool executed;		/* the command has begun */
	int done_fd;		/* its end shows the first process that all is printed */
	bool no_privileges;	/* of the command: set-user-ID programs gain none */
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
 * filter_matches() - Return true if the filter would stop at this call.
 * filter_is_foreign() - Return true if it is one of another ABI at which it would.
 */
bool filter_matches(long nr, const unsigned long arg[6]);
bool filter_is_foreign(uint32_t arch, uint64_t nr);

#endif
