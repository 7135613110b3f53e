// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A packet is read without comparing with its end.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("xdp")
int drop(struct xdp_md *ctx)
{
	unsigned char *data = (void *)(long)ctx->data;

	return data[0] == 0x33 ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
