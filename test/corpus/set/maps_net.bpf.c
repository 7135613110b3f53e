// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps of devices, CPUs and sockets, which redirect packets.
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u32);
} devices SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, struct bpf_devmap_val);
} device_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CPUMAP);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct bpf_cpumap_val);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_XSKMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u32);
} xsks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} socks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SOCKHASH);
	__uint(max_entries, 4);
	__type(key, __u64);
	__type(value, __u64);
} sock_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_REUSEPORT_SOCKARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} listeners SEC(".maps");

SEC("xdp")
int redirect(struct xdp_md *ctx)
{
	switch (ctx->rx_queue_index & 3) {
	case 0: return bpf_redirect_map(&devices, 0, XDP_PASS);
	case 1: return bpf_redirect_map(&device_hash, 0, XDP_PASS);
	case 2: return bpf_redirect_map(&cpus, 0, XDP_PASS);
	}
	return bpf_redirect_map(&xsks, ctx->rx_queue_index, XDP_PASS);
}

SEC("sk_skb/stream_verdict")
int verdict(struct __sk_buff *skb)
{
	return bpf_sk_redirect_map(skb, &socks, 0, 0);
}

SEC("sk_msg")
int message(struct sk_msg_md *msg)
{
	__u64 key = 1;

	return bpf_msg_redirect_hash(msg, &sock_hash, &key, BPF_F_INGRESS);
}

SEC("sk_reuseport")
int select(struct sk_reuseport_md *md)
{
	__u32 key = md->hash & 3;

	return bpf_sk_select_reuseport(md, &listeners, &key, 0) ? SK_DROP : SK_PASS;
}

char LICENSE[] SEC("license") = "GPL";
