// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Send a struct, bytes of the packet, or both from an XDP program to user space.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/*
 * Each of the three programs has its own perf rings. With --test-run, pload runs them on a packet
 * without a network device.
 */
struct ring {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
};

struct ring struct_only SEC(".maps");
struct ring payload_only SEC(".maps");
struct ring both SEC(".maps");

struct packet {
	__u32 length;
	__u32 captured;
	__u32 ifindex;
	__u32 cpu;
};

__u64 dropped;

/* The maximum number of bytes to send of each packet. */
const volatile __u32 snap_length = 64;

/* This function is not inlined, so that BTF describes its parameters, including struct packet. */
static __noinline void describe(struct xdp_md *ctx, struct packet *packet)
{
	*packet = (struct packet){
		.length = ctx->data_end - ctx->data,
		.ifindex = ctx->ingress_ifindex,
		.cpu = bpf_get_smp_processor_id(),
	};

	/* Requesting more bytes than the packet has fails with -EFAULT, and nothing is sent. */
	packet->captured = packet->length < snap_length ? packet->length : snap_length;
}

/* The lower half of the flags selects the ring, the upper half the number of packet bytes. */
static __u64 with_payload(struct packet *packet)
{
	return BPF_F_CURRENT_CPU | (((__u64)packet->captured << 32) & BPF_F_CTXLEN_MASK);
}

SEC("xdp")
int xdp_struct_only(struct xdp_md *ctx)
{
	struct packet packet;

	describe(ctx, &packet);
	packet.captured = 0;
	if (bpf_perf_event_output(ctx, &struct_only, BPF_F_CURRENT_CPU, &packet, sizeof(packet)))
		__sync_fetch_and_add(&dropped, 1);
	return XDP_PASS;
}

/* The size of the struct is 0, but the verifier still requires a valid pointer. */
SEC("xdp")
int xdp_payload_only(struct xdp_md *ctx)
{
	struct packet packet;

	describe(ctx, &packet);
	if (bpf_perf_event_output(ctx, &payload_only, with_payload(&packet), &packet, 0))
		__sync_fetch_and_add(&dropped, 1);
	return XDP_PASS;
}

SEC("xdp")
int xdp_both(struct xdp_md *ctx)
{
	struct packet packet;

	describe(ctx, &packet);
	if (bpf_perf_event_output(ctx, &both, with_payload(&packet), &packet, sizeof(packet)))
		__sync_fetch_and_add(&dropped, 1);
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
