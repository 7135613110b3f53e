// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Trace points with typed arguments.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

#define PROGRAM(name, section, context, result) \
	SEC(section) \
	int name(context *ctx) \
	{ \
		(void)ctx; \
		calls++; \
		return result; \
	}

PROGRAM(entered, "tp_btf/sys_enter", unsigned long long, 0)
PROGRAM(switched, "tp_btf/sched_switch", unsigned long long, 0)

char LICENSE[] SEC("license") = "GPL";
