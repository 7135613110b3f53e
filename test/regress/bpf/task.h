/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A function that finds out by name whether a program runs in the thread of the test. */
#ifndef PLOAD_REGRESS_TASK_H
#define PLOAD_REGRESS_TASK_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* The task's name, @name, has 16 bytes; an empty one matches every task. */
static __always_inline int is_this_task(const __u64 name[2])
{
	__u64 comm[2] = { 0 };

	if (!name[0])
		return 1;
	bpf_get_current_comm(comm, sizeof(comm));
	return comm[0] == name[0] && comm[1] == name[1];
}

#endif
