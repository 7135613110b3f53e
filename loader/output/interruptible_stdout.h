/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A standard output whose blocked writes can be interrupted, so that a session always ends. */
#ifndef PLOAD_OUTPUT_INTERRUPTIBLE_STDOUT_H
#define PLOAD_OUTPUT_INTERRUPTIBLE_STDOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "elf/error.h"

struct sys;

/*
 * While a write to a full pipe would block, the signals and the end time of the session are polled
 * too. When the session ends meanwhile, stop() detaches the programs, and writing continues. After
 * a signal a write fails with EINTR once the reader has read nothing for half a second.
 * A zeroed watch polls nothing.
 */
struct stdout_watch {
	bool active;
	int signal_fd;		/* borrowed; a signalfd */
	uint64_t end_ns;	/* CLOCK_MONOTONIC; 0: no end time */
	void (*stop)(void *arg);
	void *arg;
};

/**
 * stop_signals_open() - Block SIGINT, SIGTERM and SIGHUP and read them from a signalfd instead.
 *
 * An interrupt then ends the session with its summary. SIGPIPE is blocked as well: write(2) returns
 * EPIPE for a closed pipe.
 * Return: descriptor, owned by the caller, or -errno ("pload/signals").
 */
int stop_signals_open(struct sys *sys, struct error *err);

/**
 * interruptible_stdout() - Open file descriptor 1 as a stream whose blocked writes watch @watch.
 * @watch: borrowed until fclose().
 *
 * Return: the stream, or NULL (ENOMEM).
 */
FILE *interruptible_stdout(struct stdout_watch *watch);

#endif
