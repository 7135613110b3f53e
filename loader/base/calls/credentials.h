/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* System calls that drop privileges of the calling thread. None of them can be undone. */
#ifndef PLOAD_BASE_CALLS_CREDENTIALS_H
#define PLOAD_BASE_CALLS_CREDENTIALS_H

#include "loader/core/sys/sys.h"

static inline int sys_setresuid(struct sys *sys, uid_t real, uid_t effective, uid_t saved)
{
	return sys->enter(sys, __NR_setresuid, SYS_ARGS(real, effective, saved));
}

static inline int sys_setresgid(struct sys *sys, gid_t real, gid_t effective, gid_t saved)
{
	return sys->enter(sys, __NR_setresgid, SYS_ARGS(real, effective, saved));
}

static inline int sys_setgroups(struct sys *sys, size_t nr, const gid_t *groups)
{
	return sys->enter(sys, __NR_setgroups, SYS_ARGS(nr, (unsigned long)groups));
}

/*
 * Sets the effective and permitted capabilities to @caps, bit n for CAP_* n: capset(2), version 3
 * of include/uapi/linux/capability.h. Header: version, pid; data: effective, permitted,
 * inheritable, first the lower 32 bits of each, then the upper.
 */
static inline int sys_capset(struct sys *sys, uint64_t caps)
{
	const uint32_t header[2] = { 0x20080522, 0 };
	const uint32_t lower = caps, upper = caps >> 32;
	const uint32_t data[6] = { lower, lower, 0, upper, upper, 0 };

	return sys->enter(sys, __NR_capset, SYS_ARGS((unsigned long)header, (unsigned long)data));
}

static inline int sys_prctl(struct sys *sys, int option, unsigned long arg)
{
	return sys->enter(sys, __NR_prctl, SYS_ARGS(option, arg, 0, 0, 0));
}

/* @operation: SECCOMP_SET_MODE_FILTER, with a struct sock_fprog */
static inline int sys_seccomp(struct sys *sys, unsigned int operation, unsigned int flags,
			      void *arg)
{
	return sys->enter(sys, __NR_seccomp, SYS_ARGS(operation, flags, (unsigned long)arg));
}

static inline int sys_unshare(struct sys *sys, unsigned long flags)
{
	return sys->enter(sys, __NR_unshare, SYS_ARGS(flags));
}

#endif
