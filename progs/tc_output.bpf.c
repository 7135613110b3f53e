// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Send a struct, bytes of the packet, or both from a tc classifier, which sees a socket buffer.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

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
	__u32 protocol;		/* big-endian, as in the packet */
	__u32 mark;
	__u32 ifindex;
	__u32 cpu;
	__u64 time;
};

__u64 dropped;

const volatile __u32 snap_length = 64;

/* This function is not inlined, so that BTF describes its parameters, including struct packet. */
static __noinline void describe(struct __sk_buff *skb, struct packet *packet)
{
	*packet = (struct packet){
		/* In a fragmented buffer, data_end - data is the length of the first part only. */
		.length = skb->len,
		.protocol = skb->protocol,
		.mark = skb->mark,
		.ifindex = skb->ifindex,
		.cpu = bpf_get_smp_processor_id(),
		.time = bpf_ktime_get_ns(),
	};

	packet->captured = packet->length < snap_length ? packet->length : snap_length;
}

static __u64 with_payload(struct packet *packet)
{
	return BPF_F_CURRENT_CPU | (((__u64)packet->captured << 32) & BPF_F_CTXLEN_MASK);
}

SEC("tc")
int tc_struct_only(struct __sk_buff *skb)
{
	struct packet packet;

	describe(skb, &packet);
	packet.captured = 0;
	if (bpf_perf_event_output(skb, &struct_only, BPF_F_CURRENT_CPU, &packet, sizeof(packet)))
		__sync_fetch_and_add(&dropped, 1);
	return TC_ACT_OK;
}

SEC("tc")
int tc_payload_only(struct __sk_buff *skb)
{
	struct packet packet;

	describe(skb, &packet);
	if (bpf_perf_event_output(skb, &payload_only, with_payload(&packet), &packet, 0))
		__sync_fetch_and_add(&dropped, 1);
	return TC_ACT_OK;
}

SEC("tc")
int tc_both(struct __sk_buff *skb)
{
	struct packet packet;

	describe(skb, &packet);
	if (bpf_perf_event_output(skb, &both, with_payload(&packet), &packet, sizeof(packet)))
		__sync_fetch_and_add(&dropped, 1);
	return TC_ACT_OK;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
