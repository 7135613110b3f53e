// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Trampolines on functions of the kernel.
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

PROGRAM(entry, "fentry/bpf_fentry_test1", unsigned long long, 0)
PROGRAM(leave, "fexit/bpf_fentry_test1", unsigned long long, 0)
PROGRAM(instead, "fmod_ret/bpf_modify_return_test", unsigned long long, 0)
PROGRAM(entry_slow, "fentry.s/bpf_fentry_test1", unsigned long long, 0)
PROGRAM(leave_slow, "fexit.s/bpf_fentry_test1", unsigned long long, 0)
PROGRAM(instead_slow, "fmod_ret.s/bpf_fentry_test1", unsigned long long, 0)

char LICENSE[] SEC("license") = "GPL";
