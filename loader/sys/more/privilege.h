/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What this process may do: looked at only after the kernel has refused something. */
#ifndef PLOAD_SYS_MORE_PRIVILEGE_H
#define PLOAD_SYS_MORE_PRIVILEGE_H

#include <stdbool.h>

#include "loader/sys/sys.h"

/* include/uapi/linux/capability.h */
#define CAP_NET_ADMIN	12
#define CAP_SYS_ADMIN	21
#define CAP_SYS_RESOURCE 24
#define CAP_PERFMON	38
#define CAP_BPF		39

struct sys_privilege {
	bool known;		/* /proc/self/status could be read */
	uint64_t effective;	/* capabilities: bit n for CAP_* n */
	unsigned int seccomp;	/* 0: no filter; 1: strict; 2: filters */
	bool nested;		/* not in the first user namespace, whose the kernel's things are */
};

/* sys_privilege_read() - what this process may do. What cannot be read is 0. */
void sys_privilege_read(struct sys *sys, struct sys_privilege *has);

/*
 * sys_capable() - whether /proc/self/status has @cap among the effective capabilities. false also
 * when it cannot be read.
 */
bool sys_capable(struct sys *sys, int cap);

#endif
