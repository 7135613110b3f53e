/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A standard output whose blocked writes can be interrupted, so that a session always ends. */
#ifndef PLOAD_CORE_PRINT_INTERRUPTIBLE_STDOUT_H
#define PLOAD_CORE_PRINT_INTERRUPTIBLE_STDOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "elf/error.h"

struct sys;

/*
 * While a write to a full pipe would block, the signals and the end time of the session are polled
 * too. When the session ends meanwhile, stop() detaches the programs, and writing continues. After
 * a signal a write fails with EINTR once the reader has read nothing for half a second.
 * A watch of which only @fd is set polls nothing.
 *
 * stdio keeps that a write has failed, but not its errno. @error has it, and no more is written
 * until it is reported: a file would lack what failed, and have what follows.
 */
struct stdout_watch {
	int fd;			/* borrowed; descriptor 1, or the file of --output */
	bool active;
	int error;		/* errno of the first write that failed, until it is reported */
	size_t most;		/* bytes that a write may have; 0: not known yet */
	int signal_fd;		/* borrowed; a signalfd */
	uint64_t end_ns;	/* CLOCK_MONOTONIC; 0: no end time */
	void (*stop)(void *arg);
	void *arg;
	const char *erase;	/* removes what is shown meanwhile; NULL: nothing is */
	int shown_fd;		/* borrowed; the terminal that shows it */
	bool is_terminal;	/* @fd is that terminal, too */
};

/**
 * stdout_watch_begin() - Poll from now on @signal_fd as well, and call @stop with @arg once when
 * the session has to end. @watch may be NULL.
 */
void stdout_watch_begin(struct stdout_watch *watch, int signal_fd, void (*stop)(void *arg),
			void *arg);

/**
 * stdout_watch_show() - Show @text on the terminal @fd until something else is written. @text
 * replaces what was shown. Nothing is shown while the terminal is stopped (^S).
 * @erase: removes it; static.
 * stdout_watch_erase() - Remove what is shown, if anything is. @watch may be NULL.
 */
void stdout_watch_show(struct stdout_watch *watch, int fd, const char *text, const char *erase);
void stdout_watch_erase(struct stdout_watch *watch);

/*
 * Pins, lines of tracefs and programs that are attached without a link outlive a process that a
 * signal ends, and would be incomplete: one of these functions is called before the first of them.
 *
 * signals_block() - Block each signal that would end the process by its default action, except
 *	SIGKILL and those for faults of its own.
 * @before: receives the signals that were blocked, for sys_sigprocmask(SIG_SETMASK); or NULL.
 *
 * stop_signals_open() - The same, and open a signalfd to read them from: a signal then ends the
 *	session with its summary. SIGPIPE and SIGXFSZ are only blocked: write(2) fails as well.
 * stop_signal_came() - Return true if @signal_fd is readable.
 *
 * Return: 0, or a descriptor, owned by the caller, or -errno ("pload/signals").
 */
int signals_block(struct sys *sys, uint64_t *before, struct error *err);
int stop_signals_open(struct sys *sys, struct error *err);
bool stop_signal_came(struct sys *sys, int signal_fd);

/**
 * interruptible_stdout() - Open @watch->fd as a stream whose blocked writes watch @watch.
 * @watch: borrowed until fclose().
 *
 * Return: the stream, or NULL (ENOMEM).
 */
FILE *interruptible_stdout(struct stdout_watch *watch);

#endif
