/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Signals that end the session, with a summary, instead of killing the process. */
#ifndef PLOAD_CORE_PRINT_STOP_SIGNALS_H
#define PLOAD_CORE_PRINT_STOP_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/error.h"

struct sys;

/*
 * Pins, tracefs lines and programs attached without a link outlive a process that a signal kills.
 * Call one of these functions before creating any.
 *
 * signals_block() - Block every signal that terminates the process by default, except SIGKILL and
 * fault signals.
 * @before: set to the previously blocked signals, for sys_sigprocmask(SIG_SETMASK); or NULL.
 *
 * stop_signals_open() - The same, and open a signalfd to read them from: a signal then ends the
 * session with a summary. SIGPIPE and SIGXFSZ are only blocked, because write(2) fails, too.
 * stop_signal_came() - Return true if @signal_fd is readable.
 *
 * Return: 0 or a descriptor owned by the caller; -errno ("pload/signals").
 */
int signals_block(struct sys *sys, uint64_t *before, struct error *err);
int stop_signals_open(struct sys *sys, struct error *err);
bool stop_signal_came(struct sys *sys, int signal_fd);

#endif
