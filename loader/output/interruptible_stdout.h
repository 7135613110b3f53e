/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Standard output that can be left: a reader that does not read keeps nobody from ending the
 * session.
 */
#ifndef PLOAD_OUTPUT_INTERRUPTIBLE_STDOUT_H
#define PLOAD_OUTPUT_INTERRUPTIBLE_STDOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "elf/error.h"

struct sys;

/*
 * While a write to a full pipe would block, the signals and the clock of the session are watched as
 * well: its end calls stop(), which takes the programs away, and output goes on. After a signal it
 * fails with EINTR when for half a second the reader has taken nothing. Zeroed: nothing is watched.
 */
struct stdout_watch {
	bool active;
	int signal_fd;		/* borrowed; a signalfd */
	uint64_t end_ns;	/* of CLOCK_MONOTONIC; 0: none */
	void (*stop)(void *arg);
	void *arg;
};

/*
 * stop_signals_open() - SIGINT, SIGTERM and SIGHUP are read from the descriptor that is returned,
 * owned by the caller, so that an interrupt ends the session with its summary. SIGPIPE is no signal
 * any more: a closed pipe is told by write(2) instead of killing us.
 */
int stop_signals_open(struct sys *sys, struct error *err);

/*
 * interruptible_stdout() - file descriptor 1 as a stream; NULL is ENOMEM. @p is borrowed. fclose() it.
 */
FILE *interruptible_stdout(struct stdout_watch *p);

#endif
