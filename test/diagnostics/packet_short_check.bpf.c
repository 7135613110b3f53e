// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A packet is read beyond what was compared with its end.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct header {
	unsigned char to[6], from[6];
	unsigned short proto;
};

SEC("xdp")
int drop(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct header *eth = data;
	unsigned char *ip = data + sizeof(*eth);

	if (data + sizeof(*eth) > end)
		return XDP_PASS;
	if (eth->proto != 8)
		return XDP_PASS;
	return ip[9] == 17 ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
