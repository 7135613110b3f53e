// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that are loaded only if named.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

SEC("?perf_event")
int refused(void *ctx)
{
	return *(int *)(ctx + 100000);
}

SEC("?xdp")
int other(struct xdp_md *ctx)
{
	return ctx->data ? XDP_PASS : XDP_DROP;
}

SEC("perf_event")
int taken(void *ctx)
{
	(void)ctx;
	calls++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
