/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload commands in a test: run in its process, or in one that is killed. */
#ifndef PLOAD_REGRESS_RUN_COMMAND_H
#define PLOAD_REGRESS_RUN_COMMAND_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "elf/error.h"

/* The file that replaces "OBJ" in a command line; set it first. */
extern const char *command_object;

/* The output and the result of a command. */
struct command_said {
	int ret;
	char *out;	/* owned, as the log of err */
	size_t size;
	struct error err;
};

/*
 * command_say() - run a command in this process. Spaces separate its arguments. command_forget()
 * frees the result.
 */
struct command_said command_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void command_forget(struct command_said *said);

/* command_noted() - the notes of this process's commands since the last call. */
const char *command_noted(void);

/* Notes are also written to this descriptor, one per line, by children as well; -1: not written. */
extern int command_note_fd;

/* A pload of its own. */
struct command_child {
	pid_t pid;
	FILE *in;	/* its output */
	char line[512];	/* the last line read from it */
};

/*
 * command_start() - run @args in a child, and wait for the first line that contains @first. Returns
 * false if the command ends before that; then the last line has the reason. command_end() - kill it
 * with SIGKILL.
 */
bool command_start(struct command_child *child, const char *args, const char *first);
void command_end(struct command_child *child);

/*
 * command_signal() - send @signo to the command, read the rest of its output, and wait until it
 * exits. Returns its exit status, or 128 plus the number of the signal that killed it.
 */
int command_signal(struct command_child *child, int signo);
bool command_start_and_kill(struct command_child *child, const char *args, const char *first);

#endif
