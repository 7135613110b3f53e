// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program for each attach target; each lets pass what it sees. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/system_call.h"

SEC("xdp")
int xdp_pass(struct xdp_md *ctx)
{
	return XDP_PASS;
}

SEC("tcx/ingress")
int tcx_ingress(struct __sk_buff *skb)
{
	return -1;	/* TCX_NEXT */
}

SEC("tc/egress")
int tcx_egress(struct __sk_buff *skb)
{
	return -1;
}

SEC("tc")
int tc_either(struct __sk_buff *skb)
{
	return -1;
}

SEC("cgroup_skb/egress")
int cgroup_skb(struct __sk_buff *skb)
{
	return 1;
}

SEC("cgroup/connect4")
int cgroup_connect4(struct bpf_sock_addr *addr)
{
	return 1;
}

SEC("cgroup/sock_create")
int cgroup_sock(struct bpf_sock *sk)
{
	return 1;
}

SEC("cgroup/getsockopt")
int cgroup_getsockopt(struct bpf_sockopt *ctx)
{
	return 1;
}

SEC("sk_lookup")
int lookup(struct bpf_sk_lookup *ctx)
{
	return SK_PASS;
}

SEC("netfilter")
int accept(void *ctx)
{
	return 1;	/* NF_ACCEPT */
}

SEC("raw_tp/sys_enter")
int raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	return 0;
}

SEC("tp_btf/sys_enter")
int tp_btf(unsigned long long *ctx)
{
	return 0;
}

SEC("fentry/" SYSTEM_CALL "getsockopt")
int fentry(unsigned long long *ctx)
{
	return 0;
}

struct seq_file;
struct bpf_iter_meta {
	struct seq_file *seq;
} __attribute__((preserve_access_index));
struct task_struct {
	int pid;
	int tgid;
} __attribute__((preserve_access_index));
struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} __attribute__((preserve_access_index));

SEC("iter/task")
int processes(struct bpf_iter__task *ctx)
{
	static const char format[] = "process\t%d\n";
	struct task_struct *task = ctx->task;	/* read once: what is not NULL is this one */
	__u64 pid;

	if (!task || task->pid != task->tgid)
		return 0;
	pid = task->pid;
	bpf_seq_printf(ctx->meta->seq, format, sizeof(format), &pid, sizeof(pid));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
