/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An aide: a child process that makes calls for the session. The session can abandon it if the
 * kernel blocks it.
 */
#ifndef PLOAD_BASE_PROXY_AIDE_H
#define PLOAD_BASE_PROXY_AIDE_H

#include "loader/base/proxy/patience.h"
#include "loader/core/sys/sys.h"

/* Sanitizers make their own calls, map terabytes, and report on standard error. */
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

/* Maximum number of killed aides that cannot exit because a file system does not respond. */
#define AIDES_STUCK_MAX 8

/*
 * The maximum extension of a limit while the aide gets no CPU. There is none after the end of the
 * session, when the aide has priority over other processes.
 */
#define AIDE_BUSY_NS 4000000000ull

struct aide {
	struct sys *sys;	/* borrowed */
	struct patience *patience;	/* borrowed */
	pid_t pid;		/* 0: not running */
	int fd;			/* owned; connection to it, or -1 */
	pid_t stuck[AIDES_STUCK_MAX];	/* killed, but not known to have ended */
	unsigned int nr_stuck;
	uint32_t nr_killed;
	uint64_t no_cpu_ns;	/* time spent waiting for a CPU, when last checked */
};

/* The end of a wait, and how much it was extended because the aide had no CPU. */
struct aide_limit {
	uint64_t until_ns, put_off_ns;
};

/**
 * aide_start() - Start a process that runs @run(@fd, @parent, @arg), unless one is running.
 *
 * Return: 0 or -errno of a call; -EBUSY: AIDES_STUCK_MAX killed aides have not ended.
 */
int aide_start(struct aide *p, void (*run)(int fd, pid_t parent, void *arg), void *arg);

/**
 * aide_kill() - Kill it without waiting: it cannot exit while a file system does not respond. Until
 * it does, it holds nothing of the session except a copy of its memory.
 *
 * aide_free() - The same at the end; also wait briefly for all killed aides.
 * aide_hurry() - Give it priority over other processes.
 */
void aide_kill(struct aide *p);
void aide_free(struct aide *p);
void aide_hurry(struct aide *p);

/**
 * aide_wait() - Wait for an answer until the limit. A signal that ends the session shortens it.
 *
 * Return: 0, -ETIME or another -errno.
 */
int aide_wait(struct aide *p, struct aide_limit *limit);

/* aide_time() - Return the time since @from_ns, minus the time without a CPU. */
uint64_t aide_time(struct aide *p, uint64_t from_ns, const struct aide_limit *limit);

/* --- in the aide: leave.c --- */

/**
 * aide_leave() - Give up what the session owns: close all descriptors except *@fd, whose number
 * changes, unmap shared memory, and block all signals except @signals. Arrange to be killed when
 * @parent exits.
 *
 * Return: 0 or -errno.
 */
int aide_leave(struct sys *sys, int *fd, pid_t parent, uint64_t signals);

#endif
