/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A pload session in a process of its own, whose counters the test reads. */
#ifndef PLOAD_REGRESS_SESSION_H
#define PLOAD_REGRESS_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SESSION_PATIENCE_MS 60000	/* long enough for a busy machine */

struct session_child {
	pid_t pid;		/* -1: it has ended */
	FILE *out;		/* an unnamed file with its output, after it has ended */
	int map_fd;		/* of the map whose first number counts runs; -1: not open yet */
	char path[96];		/* where that is pinned */
};

/*
 * session_begin() - run the command with @args ("OBJ": command_object) and the map "counts" pinned
 * in @dir. @prepare, when not NULL, runs first in the new process.
 */
void session_begin(struct session_child *s, const char *dir, const char *args,
		   void (*prepare)(void));

/* session_runs() - the number of runs counted so far. */
uint64_t session_runs(const struct session_child *s);

/*
 * session_counts() - repeat @work, which triggers @units events, until the session waits and counts
 * all of them. false: it has ended, or never counts.
 */
bool session_counts(struct session_child *s, void (*work)(void *arg), void *arg, uint64_t units);

/* session_ends() - wait until the session ends by itself; false: it did not. */
bool session_ends(struct session_child *s);

/* session_end() - send SIGINT if the session has not ended. Returns its output; owned. */
char *session_end(struct session_child *s);

#endif
