/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why this process may not: one table for all that the kernel does not permit. */
#ifndef PLOAD_SYS_MORE_DENIED_H
#define PLOAD_SYS_MORE_DENIED_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

/* Who was refused. Reasons begin with it: "perf-open/namespace", "prog-load/namespace" ... */
enum sys_room {
	SYS_PERF_OPEN,
	SYS_PROG_LOAD,
	SYS_MAP_CREATE,
	SYS_ATTACH,
	SYS_PROBE,
	SYS_NR_ROOMS,
};

/* What was asked of the kernel. All borrowed. */
struct sys_asked {
	enum sys_room room;
	const char *call;	/* "BPF_PROG_LOAD": the message begins with it */
	uint64_t caps;		/* SYS_CAP(CAP_*): it takes each; CAP_SYS_ADMIN does for all */
	/*
	 * A number in /proc/sys/kernel that lets others do it, too, as long as it is @at_most.
	 * NULL:
	 * without the capabilities nobody may.
	 */
	const char *sysctl;
	int64_t at_most;
	/*
	 * The call itself, for asking whether a filter is in front of it: bpf's command, ioctl's
	 * request.
	 */
	long nr;
	unsigned long request;
};

#define SYS_CAP(cap) (UINT64_C(1) << (cap))

/*
 * sys_denied() - what it is that forbids @asked to this process, looked at now that the kernel has
 * said @code (positive; EPERM, EACCES, ENOSYS): a seccomp filter, capabilities that are missing or
 * count in
 * another user namespace only, a sysctl, lockdown, a security module; or, when nothing is found,
 * "refused". Fills @err: call, cause, hint, reason. Returns -@code.
 */
int sys_denied(struct sys *sys, const struct sys_asked *asked, int code, struct error *err);

/* sys_is_denial() - whether @reason (may be NULL) is one of those that sys_denied() gives. */
bool sys_is_denial(const char *reason);

/*
 * sys_sysctl() - the whole number in /proc/sys/kernel/@name, which may be negative. false: it
 * cannot be read.
 */
bool sys_sysctl(struct sys *sys, const char *name, int64_t *value);

#endif
