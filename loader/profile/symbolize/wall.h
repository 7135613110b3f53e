/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The wall between a session and the reader of files that others wrote: it starts the reader, asks
 * it, waits no longer than the limits below, and kills a reader that takes longer.
 */
#ifndef PLOAD_PROFILE_SYMBOLIZE_WALL_H
#define PLOAD_PROFILE_SYMBOLIZE_WALL_H

#include "loader/profile/symbolize/symbolize.h"
#include "loader/base/proxy/aide.h"

/* The time for all questions about one file. */
#define WALL_FILE_NS	2000000000ull

struct wall;

/**
 * wall_new() - Return a wall without a reader, which starts when it is needed; NULL: no memory.
 * @sys: borrowed; its patience is that of the session
 *
 * wall_free() - End the reader. @w may be NULL.
 */
struct wall *wall_new(struct sys *sys);
void wall_free(struct wall *w);

/**
 * wall_end_at() - Set when the session ends.
 * @end_ns: CLOCK_MONOTONIC; 0: by a signal
 * @signal_fd: borrowed; readable when a signal ends the session; -1: none
 *
 * wall_end() - The session has ended now.
 */
void wall_end_at(struct wall *w, uint64_t end_ns, int signal_fd);
void wall_end(struct wall *w);

/**
 * wall_hold() - Have a file opened and kept open (SYMBOL_HOLD), without waiting for it. Return
 * false if the reader was not asked for it.
 *
 * wall_generation() - Return the number of the reader, from 1: the files of an earlier one are not
 * held any more.
 */
bool wall_hold(struct wall *w, const struct symbol_request *request);
uint32_t wall_generation(const struct wall *w);

/**
 * wall_ask() - Have a request answered.
 * @user: whose time it takes
 * @spent_ns: what was waited for this file so far; it grows
 *
 * Return: 0, or -errno, with wall_doubt() as the reason. -ETIME: it took too long; -EPIPE: the
 * reader ended; -EAGAIN: likewise, and the cause is a file that it was to hold, wall_blamed(): ask
 * again. -ECANCELED: there is no time left for this user, or for any. Else no reader could be
 * started.
 */
int wall_ask(struct wall *w, uint32_t user, const struct symbol_request *request,
	     struct symbol_answer *answer, uint64_t *spent_ns);
const char *wall_doubt(const struct wall *w);
uint64_t wall_blamed(const struct wall *w);

/*
 * For tests: wall_settle() - Wait for the files that are to be held, at most @timeout_ms.
 * wall_reader() - Return the pid of the reader; 0: none runs.
 */
void wall_settle(struct wall *w, int timeout_ms);
pid_t wall_reader(const struct wall *w);

/* --- reader.c, confine.c: in the reader --- */

/*
 * reader_run() - Answer requests that come by @fd until its other end is closed, or until @parent
 *	ends. Does not return.
 * reader_confine() - Give up all that a reader does not need: capabilities but those to open files
 *	of others, and all system calls but those that opening, reading and answering need. Return 0
 *	or -errno.
 */
void reader_run(int fd, pid_t parent, void *unused) __attribute__((noreturn));
int reader_confine(struct sys *sys);

#endif
