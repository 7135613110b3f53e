// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Tail calls: a program array whose first entries the object initializes.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

int parse(struct xdp_md *ctx);
int drop(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(__u32));
	__array(values, int(struct xdp_md *));
} steps SEC(".maps") = {
	.values = { [0] = (void *)&parse, [3] = (void *)&drop },
};

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u32);
} later SEC(".maps");

SEC("xdp")
int enter(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &steps, 0);
	bpf_tail_call(ctx, &later, ctx->rx_queue_index);
	return XDP_PASS;
}

SEC("xdp")
int parse(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &steps, 3);
	return XDP_PASS;
}

SEC("xdp")
int drop(struct xdp_md *ctx)
{
	return ctx->data_end - ctx->data > 1500 ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
