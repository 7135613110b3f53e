// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A perf_event program calls an XDP helper.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("perf_event")
int resize(void *ctx)
{
	return bpf_xdp_adjust_head(ctx, 4);
}

char LICENSE[] SEC("license") = "GPL";
