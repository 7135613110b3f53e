// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A hook of netfilter.
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

PROGRAM(filter, "netfilter", void, 1)

char LICENSE[] SEC("license") = "GPL";
