/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An aide: a child process that makes calls for the session. The session can abandon it while the
 * kernel blocks it.
 */
#ifndef PLOAD_BASE_PROXY_AIDE_H
#define PLOAD_BASE_PROXY_AIDE_H

#include "loader/base/proxy/patience.h"
#include "loader/core/sys/sys.h"

/* A sanitizer makes its own calls, maps terabytes, and reports on standard error. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* Aides that were killed and have not exited, because a file system does not answer. */
#define AIDES_STUCK_MAX 8

/*
 * A limit is extended by at most this time while the aide gets no CPU. After the end of the session
 * it is not extended: the aide has priority over other processes then.
 */
#define AIDE_BUSY_NS 4000000000ull

struct aide {
	struct sys *sys;	/* borrowed */
	struct patience *patience;	/* borrowed */
	pid_t pid;		/* 0: none runs */
	int fd;			/* owned; the connection to it, or -1 */
	pid_t stuck[AIDES_STUCK_MAX];	/* killed, and not known to have ended */
	unsigned int nr_stuck;
	uint32_t nr_killed;
	uint64_t no_cpu_ns;	/* that it was ready without a CPU, when last asked */
};

/* The end of a wait, and by how much it was extended because the aide had no CPU. */
struct aide_limit {
	uint64_t until_ns, put_off_ns;
};

/**
 * aide_start() - Start a process in which @run(@fd, @parent, @arg) answers, unless one runs.
 *
 * Return: 0 or -errno of a call; -EBUSY: AIDES_STUCK_MAX have not ended.
 */
int aide_start(struct aide *p, void (*run)(int fd, pid_t parent, void *arg), void *arg);

/**
 * aide_kill() - Kill it without waiting: it cannot exit while a file system does not answer. Until
 * then it holds nothing of the session but a copy of its memory.
 *
 * aide_free() - The same at the end; wait a moment for all that were killed.
 * aide_hurry() - Give it priority over other processes.
 */
void aide_kill(struct aide *p);
void aide_free(struct aide *p);
void aide_hurry(struct aide *p);

/**
 * aide_wait() - Wait for an answer until the limit. A signal that ends the session shortens the
 * limit.
 *
 * Return: 0, -ETIME or another -errno.
 */
int aide_wait(struct aide *p, struct aide_limit *limit);

/* aide_time() - Return the time since @from_ns, minus the time for which it had no CPU. */
uint64_t aide_time(struct aide *p, uint64_t from_ns, const struct aide_limit *limit);

/* --- in the aide: leave.c --- */

/**
 * aide_leave() - Give up what the session owns: close all descriptors but *@fd, which changes its
 * number; unmap shared memory; block all signals but @signals. Be killed when @parent exits.
 *
 * Return: 0 or -errno.
 */
int aide_leave(struct sys *sys, int *fd, pid_t parent, uint64_t signals);

#endif
