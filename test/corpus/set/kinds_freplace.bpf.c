// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that takes the place of a function of another program.
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

PROGRAM(instead, "freplace/scaled", void, 0)
PROGRAM(later, "freplace", void, 0)

char LICENSE[] SEC("license") = "GPL";
