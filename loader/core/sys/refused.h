/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errors of system calls that the kernel refused: the decoded call, and why it is not permitted.
 */
#ifndef PLOAD_CORE_SYS_REFUSED_H
#define PLOAD_CORE_SYS_REFUSED_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/* --- the call: decoded by trace/error_call.c --- */

/**
 * sys_error_call() - Have the FAILED_CALL row store the refused call in err->call:
 *
 *	perf_event_open({type=PERF_TYPE_SOFTWARE, ...}, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) = -EACCES
 *
 * Call it after error_set(), which clears the text, and before the memory behind @arg changes. Text
 * that is too long ends in "...".
 * @nr: number of the system call.
 * @code: positive errno.
 *
 * sys_error_bpf(), sys_error_ioctl(), sys_error_perf_event_open() - Typed variants. Return:
 * err->code.
 */
int sys_error_call(struct error *err, long nr, const unsigned long arg[6], int code);

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

/**
 * sys_error_unknown() - Report that @call failed with @code (positive) for none of the known
 * causes, with @reason.
 * @fmt: the hint: which causes were ruled out and how, as in "ruled out: a sysctl, which is 2".
 *
 * Implemented in error_unknown.c. Return: err->code.
 */
int sys_error_unknown(struct error *err, const char *call, int code, const char *reason,
		      const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * sys_relative_files() - In the notes of @err, make file names below the working directory relative
 * (relative_files.c).
 */
void sys_relative_files(struct sys *sys, struct error *err);
/* explain_files() - The same, as a row for FAILED. */
void explain_files(struct sys *sys, const void *nothing, struct error *err);

/* --- why a call is not permitted: denied.c --- */

/* The refused stage. Reason codes start with it: "perf-open/namespace" ... */
enum sys_room {
	SYS_PERF_OPEN,
	SYS_PROG_LOAD,
	SYS_MAP_CREATE,
	SYS_ATTACH,
	SYS_PROBE,
	SYS_SHOW,
	SYS_NR_ROOMS,
};

/* A refused request. Everything is borrowed. */
struct sys_asked {
	enum sys_room room;
	const char *call;	/* "BPF_PROG_LOAD", the start of the message */
	uint64_t caps;		/* SYS_CAP(CAP_*): all of these are required, or CAP_SYS_ADMIN */
	uint64_t session_caps;	/* required by the following calls; the hint mentions these, too */
	/*
	 * A number in /proc/sys/kernel: up to @at_most, the call needs no capabilities. NULL: it
	 * always needs them.
	 */
	const char *sysctl;
	int64_t at_most;
	long nr;		/* the call, for the seccomp test: __NR_* and */
	unsigned long request;	/* the command of bpf(2) or the request of ioctl(2) */
};

#define SYS_CAP(cap) (UINT64_C(1) << (cap))

/**
 * sys_prog_caps() - Return the capabilities needed to load and attach programs of @prog_type:
 * CAP_BPF and whatever bpf_prog_load() in kernel/bpf/syscall.c requires.
 */
uint64_t sys_prog_caps(uint32_t prog_type);

/**
 * sys_denied() - Find out why @asked is not permitted: a seccomp filter, capabilities that are
 * missing or belong to another user namespace, a sysctl, lockdown, a security module. Fills @err
 * except for the context.
 * @code: positive errno: EPERM, EACCES or ENOSYS.
 *
 * sys_is_denial() - Return true if sys_denied() can set @reason (may be NULL). Return: -@code.
 */
int sys_denied(struct sys *sys, const struct sys_asked *asked, int code, struct error *err);
bool sys_is_denial(const char *reason);

/** sys_sysctl() - Read /proc/sys/kernel/@name, which may be negative. Return: false on failure. */
bool sys_sysctl(struct sys *sys, const char *name, int64_t *value);

#endif
