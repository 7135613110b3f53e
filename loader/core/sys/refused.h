/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errors of a system call that the kernel refused: the call, decoded, and why it is not permitted.
 */
#ifndef PLOAD_CORE_SYS_REFUSED_H
#define PLOAD_CORE_SYS_REFUSED_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/* --- the call: explained by trace/error_call.c --- */

/**
 * sys_error_call() - Let a row for FAILED_CALL store the refused call in err->call:
 *
 *	perf_event_open({type=PERF_TYPE_SOFTWARE, ...}, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) = -EACCES
 *
 * Call it after error_set(), which clears the text, and before the memory that @arg points to
 * changes. A text that is too long ends in "...".
 * @nr: number of the system call.
 * @code: positive errno.
 *
 * sys_error_bpf(), sys_error_ioctl(), sys_error_perf_event_open() - The same, typed.
 * Return: err->code.
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
 * sys_error_unknown() - Report that @call failed with @code, positive, and that none of the causes
 * that are known for it applies, with @reason.
 * @fmt: the hint: the causes that were ruled out, and how, as in "ruled out: a sysctl, which is 2".
 *
 * It is in error_unknown.c. Return: err->code.
 */
int sys_error_unknown(struct error *err, const char *call, int code, const char *reason,
		      const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * sys_relative_files() - In the notes of @err, make the names of files relative that are below the
 * working directory (relative_files.c).
 */
void sys_relative_files(struct sys *sys, struct error *err);
/* explain_files() - FAILED: the same. */
void explain_files(struct sys *sys, const void *nothing, struct error *err);

/* --- why it is not permitted: denied.c --- */

/* The stage that was refused. Reasons begin with it: "perf-open/namespace" ... */
enum sys_room {
	SYS_PERF_OPEN,
	SYS_PROG_LOAD,
	SYS_MAP_CREATE,
	SYS_ATTACH,
	SYS_PROBE,
	SYS_SHOW,
	SYS_NR_ROOMS,
};

/* A refused request. All borrowed. */
struct sys_asked {
	enum sys_room room;
	const char *call;	/* "BPF_PROG_LOAD": the message begins with it */
	uint64_t caps;		/* SYS_CAP(CAP_*): it takes all of them, or CAP_SYS_ADMIN */
	uint64_t session_caps;	/* the calls that follow take these as well: the hint has them */
	/*
	 * A number in /proc/sys/kernel that permits it to everybody while it is at most @at_most.
	 * NULL: it always takes the capabilities.
	 */
	const char *sysctl;
	int64_t at_most;
	long nr;		/* the call, to test for a seccomp filter: __NR_* and */
	unsigned long request;	/* bpf's command or ioctl's request */
};

#define SYS_CAP(cap) (UINT64_C(1) << (cap))

/**
 * sys_prog_caps() - Return the capabilities with which programs of @prog_type are loaded and
 *	attached: CAP_BPF, and the one of bpf_prog_load() in kernel/bpf/syscall.c.
 */
uint64_t sys_prog_caps(uint32_t prog_type);

/**
 * sys_denied() - Find out why @asked is not permitted: a seccomp filter, missing capabilities or
 * ones of another user namespace, a sysctl, lockdown, a security module. Fills @err with all but
 * the context.
 * @code: positive errno: EPERM, EACCES or ENOSYS.
 *
 * sys_is_denial() - Return true if @reason, which may be NULL, is one that sys_denied() gives.
 * Return: -@code.
 */
int sys_denied(struct sys *sys, const struct sys_asked *asked, int code, struct error *err);
bool sys_is_denial(const char *reason);

/** sys_sysctl() - Read /proc/sys/kernel/@name, which may be negative. Return: false on failure. */
bool sys_sysctl(struct sys *sys, const char *name, int64_t *value);

#endif
