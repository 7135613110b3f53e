// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that can be preempted by another task that runs them; each checks its own state. */
#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "test/regress/bpf/map.h"
#include "test/regress/bpf/preempted.h"

#define WORDS 40	/* 320 bytes: since Linux 6.13 no stack of the kernel's, but of the CPU's */
#define ROUNDS 100
#define STACKS 10

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, struct preempted_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1024);
	__uint(key_size, 4);
	__uint(value_size, PREEMPTED_DEPTH * 8);
} stacks SEC(".maps");

/* A set of keys; each records that this task got the stack with this id. */
MAP(ids, HASH, 256, struct preempted_stack, __u32);

/* The argument of the probed function is the number of the task. */
static __always_inline struct preempted_task *find_task(struct pt_regs *ctx)
{
	__u32 nr = PT_REGS_PARM1(ctx) & 1;

	return bpf_map_lookup_elem(&tasks, &nr);
}

/* Checks that the words which it has written to its stack are unchanged. */
SEC("?kprobe")
int canaries(struct pt_regs *ctx)
{
	struct preempted_task *task = find_task(ctx);
	volatile __u64 word[WORDS];
	__u64 first = PT_REGS_PARM1(ctx) << 32;

	if (!task)
		return 0;
	for (int i = 0; i < WORDS; i++)
		word[i] = first + i;
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WORDS; i++)
			if (word[i] != first + i)
				task->wrong++;
	task->runs++;
	return 0;
}

/* It must be given the stack of its task, which looks at it when the probed function returns. */
SEC("?kprobe")
int stack(struct pt_regs *ctx)
{
	struct preempted_task *task = find_task(ctx);

	if (!task)
		return 0;
	if (bpf_get_stack(ctx, task->frame, sizeof(task->frame), BPF_F_USER_STACK) < 0)
		task->failed++;
	task->runs++;
	return 0;
}

/* The same of the stack that is kept by a number; the test looks at these at the end. */
SEC("?kprobe")
int stackid(struct pt_regs *ctx)
{
	struct preempted_task *task = find_task(ctx);
	struct preempted_stack key = { .task = PT_REGS_PARM1(ctx) & 1 };

	if (!task)
		return 0;
	for (int round = 0; round < STACKS; round++) {
		key.id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
		if (key.id < 0)
			task->failed++;
		else
			bpf_map_update_elem(&ids, &key, &(__u32){ 1 }, BPF_ANY);
	}
	task->runs++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
