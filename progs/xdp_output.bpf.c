// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What an XDP program can send to user space: a struct of its own, bytes of the packet, or both.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/*
 * Three programs, each with a perf ring of its own. pload runs them over a packet with --test-run;
 * no network device is touched.
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

/* As many bytes of a packet as are of interest. */
const volatile __u32 snap_length = 64;

/* Not inlined, so that its parameters, and with them struct packet, are in the object's BTF. */
static __noinline void describe(struct xdp_md *ctx, struct packet *packet)
{
	*packet = (struct packet){
		.length = ctx->data_end - ctx->data,
		.ifindex = ctx->ingress_ifindex,
		.cpu = bpf_get_smp_processor_id(),
	};

	/* More than the packet has is refused: -EFAULT, and nothing is sent. */
	packet->captured = packet->length < snap_length ? packet->length : snap_length;
}

/* The lower half of the flags picks the ring, the upper says how much of the packet follows. */
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

/* Even with nothing in front of it, the helper wants to see an address of ours. */
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
