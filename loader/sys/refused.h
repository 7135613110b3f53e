/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An error that says which system call was refused, decoded as --trace does it. */
#ifndef PLOAD_SYS_REFUSED_H
#define PLOAD_SYS_REFUSED_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

/*
 * sys_error_call() - put the call with number @nr and these arguments into err->call, as
 *
 *	perf_event_open({type=PERF_TYPE_SOFTWARE, ...}, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) = -EACCES
 *
 * @code is the positive errno that the kernel gave. Only for what a kernel has refused, and after
 * error_set(), which forgets it. What the arguments point to must be as it was in the call.
 * Returns err->code. What is too long ends in "..."; without memory there is no text.
 */
int sys_error_call(struct error *err, long nr, const unsigned long arg[6], int code);

/* The same with the names of sys.h. */
static inline int sys_error_bpf(struct error *err, int cmd, const union bpf_attr *attr,
				unsigned int size, int code)
{
	return sys_error_call(err, __NR_bpf, SYS_ARGS(cmd, (unsigned long)attr, size), code);
}

static inline int sys_error_ioctl(struct error *err, int fd, unsigned long req, unsigned long arg,
				  int code)
{
	return sys_error_call(err, __NR_ioctl, SYS_ARGS(fd, req, arg), code);
}

static inline int sys_error_perf_event_open(struct error *err, const struct perf_event_attr *attr,
					    pid_t pid, int cpu, int group_fd, unsigned long flags,
					    int code)
{
	return sys_error_call(err, __NR_perf_event_open,
			      SYS_ARGS((unsigned long)attr, (long)pid, (long)cpu, (long)group_fd,
				       flags),
			      code);
}

/* --- why this process may not: more/denied.c --- */

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
