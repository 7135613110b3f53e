// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The verifier rejects the second of three programs.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

SEC("perf_event")
int good(void *ctx)
{
	(void)ctx;
	calls++;
	return 0;
}

SEC("perf_event")
int bad(void *ctx)
{
	return *(int *)(ctx + 100000);
}

SEC("perf_event")
int also_good(void *ctx)
{
	(void)ctx;
	calls += 2;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
