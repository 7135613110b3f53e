/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An aide: a child process that answers questions for the session, and can be left behind while the
 * kernel makes it wait for something that another user holds.
 */
#ifndef PLOAD_BASE_PROXY_AIDE_H
#define PLOAD_BASE_PROXY_AIDE_H

#include "loader/base/proxy/patience.h"
#include "loader/core/sys/sys.h"

/* A sanitizer has calls and terabytes of its own, and reports on standard error. */
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

/* Aides that were killed and have not ended: the kernel waits for a file system. */
#define AIDES_STUCK_MAX 8

/*
 * How long a wait is put off at most while the aide gets no CPU, which is not its fault. After the
 * end it is not put off: the aide comes before other processes then.
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

/* The end of a wait, and how far it was put off as the aide had no CPU. */
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
 * aide_kill() - Kill it, and do not wait: while a file system does not answer, the kernel does not
 * end it. All that it has of the session then is its memory.
 *
 * aide_free() - The same at the end, with a moment for those that were killed.
 * aide_hurry() - Let it run before other processes.
 */
void aide_kill(struct aide *p);
void aide_free(struct aide *p);
void aide_hurry(struct aide *p);

/**
 * aide_wait() - Wait until it answers, or the limit. A signal that ends the session makes the limit
 * an earlier one.
 *
 * Return: 0, -ETIME or another -errno.
 */
int aide_wait(struct aide *p, struct aide_limit *limit);

/* aide_time() - Return the time since @from_ns without that for which it had no CPU. */
uint64_t aide_time(struct aide *p, uint64_t from_ns, const struct aide_limit *limit);

/* --- in the aide: leave.c --- */

/**
 * aide_leave() - Give up what is the session's: be killed when @parent ends; close all descriptors
 * but @fd, which becomes *@fd; unmap memory that is shared; block signals but @signals.
 *
 * Return: 0 or -errno.
 */
int aide_leave(struct sys *sys, int *fd, pid_t parent, uint64_t signals);

#endif
