// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Hooks of the security framework.
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

PROGRAM(hook, "lsm/file_open", unsigned long long, 0)
PROGRAM(hook_slow, "lsm.s/file_open", unsigned long long, 0)
PROGRAM(hook_cgroup, "lsm_cgroup/socket_bind", unsigned long long, 1)

char LICENSE[] SEC("license") = "GPL";
