/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* epoll(7) through the seam: wait for many descriptors, and find the ready ones. */
#ifndef PLOAD_BASE_CALLS_EPOLL_H
#define PLOAD_BASE_CALLS_EPOLL_H

#include <sys/epoll.h>

#include "loader/core/sys/sys.h"

/**
 * sys_epoll_create() - Return a descriptor that is readable while any descriptor added to it is.
 * sys_epoll_add() - Add @fd with epoll_event.data set to @data. Closing @fd removes it.
 * sys_epoll_wait() - Fill in at most @nr elements of @ready, and return their number. @timeout_ms:
 * -1 waits forever.
 *
 * Each fails with -errno.
 */
static inline int sys_epoll_create(struct sys *sys)
{
	return sys->enter(sys, __NR_epoll_create1, SYS_ARGS(EPOLL_CLOEXEC));
}

static inline int sys_epoll_add(struct sys *sys, int epoll_fd, int fd, uint32_t events,
				uint64_t data)
{
	struct epoll_event event = { .events = events, .data.u64 = data };

	return sys->enter(sys, __NR_epoll_ctl,
			  SYS_ARGS(epoll_fd, EPOLL_CTL_ADD, fd, (unsigned long)&event));
}

static inline int sys_epoll_wait(struct sys *sys, int epoll_fd, struct epoll_event *ready, int nr,
				 int timeout_ms)
{
	return sys->enter(sys, __NR_epoll_pwait,
			  SYS_ARGS(epoll_fd, (unsigned long)ready, nr, timeout_ms, 0, 8));
}

#endif
