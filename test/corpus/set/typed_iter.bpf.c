// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Iterators with their contexts: tasks, maps, and what they write to the reader.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define core __attribute__((preserve_access_index))

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id;
	__u64 seq_num;
} core;

struct task_struct {
	int pid;
	int tgid;
	char comm[16];
} core;

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} core;

struct bpf_map {
	__u32 id;
	__u32 max_entries;
} core;

struct bpf_iter__bpf_map {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
} core;

SEC("iter/task")
int tasks(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (!task)
		return 0;
	if (!ctx->meta->seq_num)
		BPF_SEQ_PRINTF(ctx->meta->seq, "tgid pid\n");
	BPF_SEQ_PRINTF(ctx->meta->seq, "%d %d %s\n", task->tgid, task->pid, task->comm);
	return 0;
}

SEC("iter/bpf_map")
int maps(struct bpf_iter__bpf_map *ctx)
{
	struct bpf_map *map = ctx->map;

	if (map)
		BPF_SEQ_PRINTF(ctx->meta->seq, "%u %u\n", map->id, map->max_entries);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
