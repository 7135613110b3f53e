// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// XDP, TC and socket programs, locks, timers and dynptrs: what only the ABI's structures are for.
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>

#define ETH_P_IP 0x0800

struct ethhdr {
	__u8 h_dest[6];
	__u8 h_source[6];
	__be16 h_proto;
} __attribute__((packed));

struct slot {
	struct bpf_spin_lock lock;
	struct bpf_timer timer;
	__u64 packets;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 12);
} ring SEC(".maps");

static int on_timer(void *map, __u32 *key, struct slot *slot)
{
	(void)map;
	(void)key;
	slot->packets = 0;
	return 0;
}

SEC("xdp")
int count(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct ethhdr *eth = data;
	struct slot *slot;
	__u32 key = 0;

	if ((void *)(eth + 1) > end)
		return XDP_ABORTED;
	if (eth->h_proto != bpf_htons(ETH_P_IP))
		return XDP_PASS;
	slot = bpf_map_lookup_elem(&slots, &key);
	if (!slot)
		return XDP_DROP;
	bpf_spin_lock(&slot->lock);
	slot->packets++;
	bpf_spin_unlock(&slot->lock);
	bpf_timer_init(&slot->timer, &slots, 1);
	bpf_timer_set_callback(&slot->timer, on_timer);
	bpf_timer_start(&slot->timer, 1000, BPF_F_TIMER_ABS);
	return XDP_TX;
}

SEC("tc")
int classify(struct __sk_buff *skb)
{
	struct bpf_fib_lookup fib = { .family = 2, .ifindex = skb->ifindex };
	struct bpf_tunnel_key key = {};
	struct bpf_dynptr ptr;
	struct bpf_sock *sk = skb->sk;
	__u32 len = skb->len;

	if (sk && sk->state == BPF_TCP_ESTABLISHED)
		return TC_ACT_PIPE;
	if (bpf_ringbuf_reserve_dynptr(&ring, 16, 0, &ptr)) {
		bpf_ringbuf_discard_dynptr(&ptr, BPF_RB_NO_WAKEUP);
		return TC_ACT_SHOT;
	}
	bpf_dynptr_write(&ptr, 0, &len, sizeof(len), 0);
	bpf_ringbuf_submit_dynptr(&ptr, 0);
	bpf_skb_get_tunnel_key(skb, &key, sizeof(key), BPF_F_TUNINFO_IPV6);
	if (!bpf_fib_lookup(skb, &fib, sizeof(fib), BPF_FIB_LOOKUP_DIRECT))
		return bpf_redirect(fib.ifindex, BPF_F_INGRESS);
	return TC_ACT_OK;
}

SEC("sockops")
int events(struct bpf_sock_ops *ops)
{
	if (ops->op == BPF_SOCK_OPS_TCP_CONNECT_CB)
		bpf_sock_ops_cb_flags_set(ops, BPF_SOCK_OPS_STATE_CB_FLAG);
	return SK_PASS;
}

SEC("cgroup/connect4")
int connect4(struct bpf_sock_addr *addr)
{
	return bpf_ntohl(addr->user_ip4) >> 24 != 127 && bpf_ntohs(addr->user_port) != 22;
}

char LICENSE[] SEC("license") = "GPL";
