/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The privileges of this process, read only when the kernel has refused something. */
#ifndef PLOAD_EXPLAIN_DENIED_PRIVILEGE_H
#define PLOAD_EXPLAIN_DENIED_PRIVILEGE_H

#include <stdbool.h>

#include "loader/core/sys/sys.h"

/* include/uapi/linux/capability.h */
#define CAP_DAC_OVERRIDE 1
#define CAP_DAC_READ_SEARCH 2
#define CAP_NET_ADMIN	12
#define CAP_SYS_PTRACE	19
#define CAP_SYS_ADMIN	21
#define CAP_SYS_RESOURCE 24
#define CAP_PERFMON	38
#define CAP_BPF		39
#define CAP_CHECKPOINT_RESTORE 40

struct sys_privilege {
	bool known;		/* /proc/self/status was readable */
	uint64_t effective;	/* capabilities: bit n for CAP_* n */
	unsigned int seccomp;	/* 0: no filter; 1: strict mode; 2: filter mode */
	bool nested;		/* outside the initial user namespace */
};

/** sys_privilege_read() - Read the privileges; fields that cannot be read are 0. */
void sys_privilege_read(struct sys *sys, struct sys_privilege *has);

/** sys_capable() - Return true if /proc/self/status lists @cap as effective. */
bool sys_capable(struct sys *sys, int cap);

#endif
