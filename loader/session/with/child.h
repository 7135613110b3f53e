/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command behind "--": a child that waits until everything is attached, and how it ends. */
#ifndef PLOAD_SESSION_WITH_CHILD_H
#define PLOAD_SESSION_WITH_CHILD_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

struct output;

enum {
	EXIT_NOT_KNOWN = 125,
	EXIT_CANNOT_RUN = 126,	/* as a shell says it */
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNALLED = 128,	/* and the signal's number */
};

/* Zeroed is none. */
struct child {
	struct output *out;	/* borrowed, as argv; notes go there */
	char *const *argv;
	pid_t pid;		/* 0: none */
	int go_fd;		/* owned, 0 when empty: a byte lets it go on, its end ends it */
	int said_fd;		/* owned, 0 when empty: why it could not become the command */
	int end_fd;		/* owned, 0 when empty: readable when it has (or may have) ended */
	bool runs;		/* it was let go, and nothing says that it cannot become the
				 * command */
	bool started;		/* it has become the command */
	bool ended;
	int exit_code;		/* when it has ended by itself */
	int signo;		/* when a signal ended it; else 0 */
};

/*
 * child_begin() - make a process that is going to be @argv[0] (which is looked for in PATH, unless
 * it has a '/'), and waits. It has our standard descriptors and our signals, no other descriptors.
 */
int child_begin(struct sys *sys, struct output *out, struct child *child, char *const *argv,
		struct error *err);

/*
 * child_start() - let it become the command. Fails when it cannot: "command/not-found", or
 * "command/cannot-run"; then child_status() is what a shell would exit with.
 */
int child_start(struct sys *sys, struct child *child, struct error *err);

/* child_reap() - take note of its end when end_fd was ready. Returns 1 when it has ended, or 0. */
int child_reap(struct sys *sys, struct child *child);

/*
 * child_end() - wait until it has ended. One that runs is sent @signo first (0: it has been sent
 * one); each signal that @signal_fd (a signalfd, or -1) gets meanwhile kills it. One that never
 * became the command is let go.
 */
void child_end(struct sys *sys, struct child *child, int signo, int signal_fd);

/* child_status() - with what a shell would exit. */
int child_status(const struct child *child);

/* child_become() - the child's own part; returns in tests only. */
void child_become(struct sys *sys, char *const *argv, int go_fd, int said_fd);

#endif
