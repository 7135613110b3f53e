// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A table of functions, one of which may sleep.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct sock;

struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	__u32 (*undo_cwnd)(struct sock *sk);
	void (*init)(struct sock *sk);
	char name[16];
};

SEC("struct_ops")
__u32 BPF_PROG(threshold, struct sock *sk)
{
	return sk ? 10 : 2;
}

SEC("struct_ops")
__u32 BPF_PROG(undo, struct sock *sk)
{
	return sk ? 10 : 2;
}

SEC("struct_ops")
void BPF_PROG(avoid, struct sock *sk, __u32 ack, __u32 acked)
{
}

SEC("struct_ops.s")
void BPF_PROG(begin, struct sock *sk)
{
}

SEC(".struct_ops")
struct tcp_congestion_ops sleepable = {
	.ssthresh = (void *)threshold,
	.cong_avoid = (void *)avoid,
	.undo_cwnd = (void *)undo,
	.init = (void *)begin,
	.name = "pload_sleepy",
};

char LICENSE[] SEC("license") = "GPL";
