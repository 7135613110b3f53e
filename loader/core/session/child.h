/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command after "--": a child that waits until everything is attached. (parts/child.c) */
#ifndef PLOAD_CORE_SESSION_CHILD_H
#define PLOAD_CORE_SESSION_CHILD_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

struct output;

/* Exit statuses, as in a shell. */
enum {
	EXIT_NOT_KNOWN = 125,
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNALLED = 128,	/* plus the signal number */
};

struct child {
	struct output *out;	/* borrowed, like argv; receives notes */
	char *const *argv;
	pid_t pid;		/* 0: none */
	int go_fd;		/* owned; a byte lets the child proceed, closing ends it; or -1 */
	int exec_fd;		/* owned; delivers the errno if execve(2) fails; or -1 */
	int end_fd;		/* owned; readable when the child has (or may have) ended; or -1 */
	bool runs;		/* the byte was sent, and execve(2) has not failed */
	bool started;		/* execve(2) succeeded */
	bool ended;
	int exit_code;		/* if it exited */
	int signo;		/* if a signal killed it; otherwise 0 */
};

#define CHILD_NONE ((struct child){ .go_fd = -1, .exec_fd = -1, .end_fd = -1 })

/**
 * child_begin() - Fork a child that will execute @argv[0], which is looked up in PATH unless it
 * contains a '/'. It waits for child_start(), and inherits only descriptors 0 to 2; with
 * @out->owns_stdout, its standard output is our standard error.
 * child_start() - Let the child execute the command. "command/not-found", "command/cannot-run".
 * child_reap() - Collect its status once end_fd is readable. Return: 1 if it has ended, otherwise
 * 0.
 * child_end() - Wait until it has ended.
 * @signo: sent first if it is running; 0: none.
 * @signal_fd: any signal read from it in the meantime kills the child; or -1.
 *
 * child_status() - Return the exit status that a shell would report.
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
 * child_exec_failed() - Explain why execve(2) of command @name failed with the positive @code.
 * @exit_code: set to the exit status that a shell would return
 *
 * Return: -@code.
 */
int child_exec_failed(struct sys *sys, const char *name, int code, int *exit_code,
		      struct error *err);

/** child_become() - Runs in the child: wait, then execute @argv. Returns only in tests. */
void child_become(struct sys *sys, char *const *argv, int go_fd, int exec_fd);

#endif
