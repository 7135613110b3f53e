// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Trampolines that run before a function of the kernel and after it (Linux 7.0).
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

PROGRAM(around, "fsession/bpf_fentry_test1", unsigned long long, 0)
PROGRAM(around_slow, "fsession.s/bpf_fentry_test1", unsigned long long, 0)

char LICENSE[] SEC("license") = "GPL";
