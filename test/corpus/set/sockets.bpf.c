// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Networking programs: packet pointers, checksums, options, cookies, spin locks.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

struct ethernet {
	__u8 to[6], from[6];
	__be16 type;
} __attribute__((packed));

struct flow {
	struct bpf_spin_lock lock;
	__u64 packets, bytes;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct flow);
} flows SEC(".maps");

static const __u16 ports[4] = { 22, 80, 443, 8080 };

static __noinline int known(__u16 port)
{
	for (int i = 0; i < 4; i++)
		if (ports[i] == port)
			return i;
	return -1;
}

SEC("tc")
int account(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	struct ethernet *eth = data;
	struct flow *flow, new = {};
	__u32 hash = bpf_get_hash_recalc(skb);

	if ((void *)(eth + 1) > end || eth->type != bpf_htons(0x0800))
		return TC_ACT_OK;
	flow = bpf_map_lookup_elem(&flows, &hash);
	if (!flow) {
		bpf_map_update_elem(&flows, &hash, &new, BPF_NOEXIST);
		return TC_ACT_OK;
	}
	bpf_spin_lock(&flow->lock);
	flow->packets++;
	flow->bytes += skb->len;
	bpf_spin_unlock(&flow->lock);
	return TC_ACT_OK;
}

SEC("cgroup/connect4")
int redirect(struct bpf_sock_addr *ctx)
{
	if (known(bpf_ntohs(ctx->user_port)) == 3)
		ctx->user_port = bpf_htons(80);
	return 1;
}

SEC("sockops")
int options(struct bpf_sock_ops *ctx)
{
	if (ctx->op == BPF_SOCK_OPS_TCP_CONNECT_CB)
		bpf_sock_ops_cb_flags_set(ctx, BPF_SOCK_OPS_STATE_CB_FLAG);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
