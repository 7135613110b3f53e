// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Who runs, and who started it? Follows pointers through structs of the kernel, wherever they keep them.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

/*
 * Of the kernel's hundreds of members only those used here, in any order and at any offset. With
 * preserve_access_index the compiler writes down which member each access means, and pload puts in
 * the offsets of the kernel that runs, which it takes from /sys/kernel/btf/vmlinux. That is CO-RE:
 * compile once, run everywhere.
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

	/* One read of kernel memory for each arrow: task->real_parent->tgid. */
	edge.pid = BPF_CORE_READ(task, tgid);
	edge.ppid = BPF_CORE_READ(task, real_parent, tgid);
	count = bpf_map_lookup_elem(&edges, &edge);
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		bpf_map_update_elem(&edges, &edge, &one, BPF_NOEXIST);
	return 0;
}

/* bpf_probe_read_kernel() is for GPL programs only. */
char LICENSE[] SEC("license") = "Dual BSD/GPL";
