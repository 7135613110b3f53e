// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Trampolines on many functions of the kernel (Linux 7.2).
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

PROGRAM(entries, "fentry.multi/bpf_fentry_test*", unsigned long long, 0)
PROGRAM(leaves, "fexit.multi/bpf_fentry_test*", unsigned long long, 0)
PROGRAM(both, "fsession.multi/bpf_fentry_test*", unsigned long long, 0)
PROGRAM(entries_slow, "fentry.multi.s/bpf_fentry_test*", unsigned long long, 0)
PROGRAM(leaves_slow, "fexit.multi.s/bpf_fentry_test*", unsigned long long, 0)
PROGRAM(both_slow, "fsession.multi.s/bpf_fentry_test*", unsigned long long, 0)

char LICENSE[] SEC("license") = "GPL";
