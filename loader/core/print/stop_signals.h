/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Signals that end a session with its summary, in place of the process. */
#ifndef PLOAD_CORE_PRINT_STOP_SIGNALS_H
#define PLOAD_CORE_PRINT_STOP_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/error.h"

struct sys;

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

#endif
