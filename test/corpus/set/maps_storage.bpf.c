// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Socket, task and cgroup storage: maps that the kernel accepts only with BTF.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define STORAGE(name_, type_) \
	struct { \
		__uint(type, type_); \
		__uint(map_flags, BPF_F_NO_PREALLOC); \
		__type(key, int); \
		__type(value, __u64); \
	} name_ SEC(".maps")

STORAGE(of_sockets, BPF_MAP_TYPE_SK_STORAGE);
STORAGE(of_tasks, BPF_MAP_TYPE_TASK_STORAGE);
STORAGE(of_cgroups, BPF_MAP_TYPE_CGRP_STORAGE);

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_STORAGE);
	__type(key, struct bpf_cgroup_storage_key);
	__type(value, __u64);
} here SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE);
	__type(key, struct bpf_cgroup_storage_key);
	__type(value, __u64);
} here_percpu SEC(".maps");

SEC("cgroup_skb/egress")
int egress(struct __sk_buff *skb)
{
	__u64 *bytes = bpf_get_local_storage(&here, 0);
	__u64 *packets = bpf_get_local_storage(&here_percpu, 0);
	__u64 *mine;

	__sync_fetch_and_add(bytes, skb->len);
	++*packets;
	if (skb->sk) {
		mine = bpf_sk_storage_get(&of_sockets, skb->sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
		if (mine)
			++*mine;
	}
	return 1;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switched, _Bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 *since = bpf_task_storage_get(&of_tasks, next, NULL,
					    BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (since && prev != next)
		*since = bpf_ktime_get_ns();
	return preempt;
}

char LICENSE[] SEC("license") = "GPL";
