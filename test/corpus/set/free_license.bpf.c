// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A license that is not GPL-compatible, and no helper that requires one.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

SEC("xdp")
int pass(struct xdp_md *ctx)
{
	(void)ctx;
	calls++;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "Proprietary";
