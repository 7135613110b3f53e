/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An error that says which system call was refused, decoded as --trace does it. */
#ifndef PLOAD_SYS_ERROR_CALL_H
#define PLOAD_SYS_ERROR_CALL_H

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

#endif
