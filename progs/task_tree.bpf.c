// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count the samples of each process and its parent by reading kernel structs with CO-RE.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

/*
 * The kernel's struct has hundreds of members. This declaration needs only those used here, in any
 * order and at any offset. With preserve_access_index the compiler records which member each access
 * refers to. At load time, pload replaces the offsets with those of the running kernel, which it
 * reads from /sys/kernel/btf/vmlinux. This is CO-RE: compile once, run everywhere.
 */
struct task_struct {
	int tgid;
	struct task_struct *real_parent;
} __attribute__((preserve_access_index));

struct edge {
	int pid, ppid;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct edge);
	__type(value, __u64);
} edges SEC(".maps");

SEC("perf_event")
int task_tree(void *ctx)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	struct edge edge = {};
	__u64 *count, one = 1;

	/* BPF_CORE_READ() reads kernel memory once for each arrow of task->real_parent->tgid. */
	edge.pid = BPF_CORE_READ(task, tgid);
	edge.ppid = BPF_CORE_READ(task, real_parent, tgid);
	count = bpf_map_lookup_elem(&edges, &edge);
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		bpf_map_update_elem(&edges, &edge, &one, BPF_NOEXIST);
	return 0;
}

/* bpf_probe_read_kernel() is only available to GPL-compatible programs. */
char LICENSE[] SEC("license") = "Dual BSD/GPL";
