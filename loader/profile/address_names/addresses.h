/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Name the addresses in call stacks: function, file and build ID, even for processes that have
 * since ended, executed another program or loaded a library.
 */
#ifndef PLOAD_PROFILE_ADDRESS_NAMES_ADDRESSES_H
#define PLOAD_PROFILE_ADDRESS_NAMES_ADDRESSES_H

#include "loader/core/event/scope.h"
#include "loader/profile/stacks/frame.h"

struct addresses;

/**
 * addresses_new() - Return a namer that has not opened anything yet; NULL if out of memory.
 * @sys: borrowed
 *
 * Without addresses_watch(), it knows only processes that exist when it is asked about them.
 */
struct addresses *addresses_new(struct sys *sys);
void addresses_free(struct addresses *a);

/**
 * addresses_watch() - Record what the processes of @scope map from now on, and what they have
 * mapped so far. Call it before the command of @scope starts and before anything is sampled.
 *
 * Opens a dummy event with a ring on each CPU: the kernel writes a record when a process maps
 * executable memory, forks, executes a program or ends.
 *
 * Return: 0, or -errno: without events, new mappings go unnoticed, but the namer can still be used.
 */
int addresses_watch(struct addresses *a, const struct event_scope *scope, struct error *err);

/**
 * addresses_of_scope() - Use instead of addresses_watch(): look up names in the processes of
 * @scope, which is borrowed, as they are when the first address of an unknown process is named. If
 * the scope consists of tasks, do so only before addresses_end().
 */
void addresses_of_scope(struct addresses *a, const struct event_scope *scope);

/**
 * * addresses_fd() - Return a borrowed descriptor that is readable when records have arrived, or
 * -1.
 */
int addresses_fd(const struct addresses *a);

/**
 * addresses_read() - Read the records from the rings. Call it when addresses_fd() is readable; the
 * namer calls it, too.
 */
void addresses_read(struct addresses *a);

/**
 * addresses_end_at() - Set when the session ends: names are looked up for a second after that.
 * @end_ns: CLOCK_MONOTONIC; 0: by a signal
 * @signal_fd: borrowed; readable when a signal ends the session; -1: none
 *
 * addresses_end() - Declare that the session has ended and nothing is sampled any more.
 */
void addresses_end_at(struct addresses *a, uint64_t end_ns, int signal_fd);
void addresses_end(struct addresses *a);

/** addresses_namer() - Return the namer, borrowed from @a. */
struct frame_namer *addresses_namer(struct addresses *a);

#endif
