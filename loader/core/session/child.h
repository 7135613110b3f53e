/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command after "--": a child that waits until everything is attached. (parts/child.c) */
#ifndef PLOAD_CORE_SESSION_CHILD_H
#define PLOAD_CORE_SESSION_CHILD_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

struct output;

/* Exit statuses, as those of a shell. */
enum {
	EXIT_NOT_KNOWN = 125,
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNALLED = 128,	/* plus the signal's number */
};

struct child {
	struct output *out;	/* borrowed, as argv; receives notes */
	char *const *argv;
	pid_t pid;		/* 0: none */
	int go_fd;		/* owned; a byte lets the child continue, a close ends it; or -1 */
	int exec_fd;		/* owned; the errno if execve(2) failed; or -1 */
	int end_fd;		/* owned; readable when the child has, or may have, ended; or -1 */
	bool runs;		/* it got the byte, and execve(2) has not failed */
	bool started;		/* execve(2) succeeded */
	bool ended;
	int exit_code;		/* if it has exited */
	int signo;		/* if a signal ended it; else 0 */
};

#define CHILD_NONE ((struct child){ .go_fd = -1, .exec_fd = -1, .end_fd = -1 })

/**
 * child_begin() - Fork a child that will execute @argv[0], found in PATH unless it has a '/'. It
 * waits for child_start(), and inherits only descriptors 0 to 2; with @out->owns_stdout its
 * standard output is standard error.
 * child_start() - Let it execute the command. "command/not-found", "command/cannot-run".
 * child_reap() - Collect its status once end_fd is readable. Return: 1 if it has ended, or 0.
 * child_end() - Wait until it has ended.
 * @signo: sent first if it runs; 0: none.
 * @signal_fd: each signal read from it kills the child meanwhile; or -1.
 *
 * child_status() - Return the exit status that a shell would return for it.
 */
int child_begin(struct sys *sys, struct output *out, struct child *child, char *const *argv,
		struct error *err);
int child_start(struct sys *sys, struct child *child, struct error *err);
int child_reap(struct sys *sys, struct child *child);
void child_end(struct sys *sys, struct child *child, int signo, int signal_fd);
static inline int child_status(const struct child *child)
{
	return child->signo ? EXIT_SIGNALLED + child->signo : child->exit_code;
}

/**
 * child_exec_failed() - Explain why execve(2) of command @name failed with @code (positive).
 * @exit_code: receives what a shell would return
 *
 * Return: -@code.
 */
int child_exec_failed(struct sys *sys, const char *name, int code, int *exit_code,
		      struct error *err);

/** child_become() - Run in the child: wait, then execute @argv. It returns only in tests. */
void child_become(struct sys *sys, char *const *argv, int go_fd, int exec_fd);

#endif
