// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// TCP congestion control in BPF: maps that are tables of functions, with and without a link.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define core __attribute__((preserve_access_index))

struct sock {
	int sk_pacing_status;
} core;

struct rate_sample;
union tcp_cc_info;
enum tcp_ca_event;

/* Only the members that are used. The loader finds each by name in the kernel's struct. */
struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	void (*init)(struct sock *sk);
	__u32 flags;
	char name[16];
} core;

/* A member that no kernel has: ignored, because it is 0. */
struct tcp_congestion_ops___more {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	void (*not_there)(struct sock *sk);
	char name[16];
} core;

__u64 calls;

SEC("struct_ops")
__u32 BPF_PROG(threshold, struct sock *sk)
{
	calls++;
	return sk ? 10 : 2;
}

SEC("struct_ops/avoid")
void BPF_PROG(avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	(void)sk;
	calls += ack + acked;
}

SEC("struct_ops")
__u32 BPF_PROG(undo, struct sock *sk)
{
	(void)sk;
	return 10;
}

SEC("struct_ops")
void BPF_PROG(begin, struct sock *sk)
{
	(void)sk;
	calls = 0;
}

SEC(".struct_ops")
struct tcp_congestion_ops plain = {
	.ssthresh = (void *)threshold,
	.cong_avoid = (void *)avoid,
	.undo_cwnd = (void *)undo,
	.init = (void *)begin,
	.name = "pload_plain",
};

SEC(".struct_ops.link")
struct tcp_congestion_ops___more linked = {
	.ssthresh = (void *)threshold,
	.cong_avoid = (void *)avoid,
	.undo_cwnd = (void *)undo,
	.name = "pload_linked",
};

char LICENSE[] SEC("license") = "GPL";
