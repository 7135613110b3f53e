// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that take call stacks, with each helper and in each program type. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "test/regress/bpf/map.h"
#include "test/regress/bpf/stacks_io.h"
#include "test/regress/bpf/task.h"

MAP(stacks, ARRAY, 1, __u32, struct stacks_io);

#define TRACES(name, entries) \
	struct { \
		__uint(type, BPF_MAP_TYPE_STACK_TRACE); \
		__uint(max_entries, entries); \
		__uint(key_size, 4); \
		__uint(value_size, 64 * 8); \
	} name SEC(".maps")

TRACES(one, 1);
TRACES(two, 2);
TRACES(many, 256);

static __always_inline struct stacks_io *begin(__u64 ip)
{
	__u32 zero = 0;
	struct stacks_io *mine = bpf_map_lookup_elem(&stacks, &zero);

	if (!mine || !is_this_task(mine->comm))
		return 0;
	if (mine->high && (ip < mine->low || ip >= mine->high))
		return 0;
	mine->runs++;
	return mine;
}

/*
 * bpf_get_stack(), or bpf_get_task_stack() of the current task. The asm statement hides the size
 * from the compiler, which would otherwise remove or change the comparison by which the verifier
 * sees that it is bounded.
 */
#define TAKE(mine, i, call) \
	do { \
		__u64 ___size = (mine)->size[i]; \
		\
		__asm__ volatile("" : "+r"(___size)); \
		if (___size <= sizeof((mine)->frame[i])) \
			(mine)->ret[i] = call; \
	} while (0)

#define TAKE_STACK(mine, i) \
	TAKE(mine, i, bpf_get_stack(ctx, (mine)->frame[i], ___size, (mine)->flags[i]))
#define TAKE_TASK(mine, i) \
	TAKE(mine, i, bpf_get_task_stack(bpf_get_current_task_btf(), (mine)->frame[i], ___size, \
					 (mine)->flags[i]))

static __always_inline int take(void *ctx, struct stacks_io *mine)
{
	if (!mine)
		return 1;
	TAKE_STACK(mine, 0);
	if (mine->size[1])
		TAKE_STACK(mine, 1);
	return 1;
}

SEC("?perf_event")
int pe_stack(struct bpf_perf_event_data *ctx)
{
	return take(ctx, begin(PT_REGS_IP(&ctx->regs)));
}

SEC("?tracepoint")
int tp_stack(void *ctx)
{
	return take(ctx, begin(0));
}

SEC("?kprobe")
int kp_stack(struct pt_regs *ctx)
{
	return take(ctx, begin(PT_REGS_IP(ctx)));
}

SEC("?tracepoint")
int tp_task_stack(void *ctx)
{
	struct stacks_io *mine = begin(0);

	if (!mine)
		return 1;
	TAKE_TASK(mine, 0);
	return 1;
}

#define STACKID(prog, traces) \
	SEC("?perf_event") \
	int prog(struct bpf_perf_event_data *ctx) \
	{ \
		struct stacks_io *mine = begin(PT_REGS_IP(&ctx->regs)); \
		\
		if (!mine) \
			return 1; \
		mine->ret[0] = bpf_get_stackid(ctx, &traces, mine->flags[0]); \
		if (mine->size[1]) \
			mine->ret[1] = bpf_get_stackid(ctx, &traces, mine->flags[1]); \
		return 1; \
	}

STACKID(id_one, one)
STACKID(id_two, two)
STACKID(id_many, many)

SEC("?tracepoint")
int tp_id(void *ctx)
{
	struct stacks_io *mine = begin(0);

	if (mine)
		mine->ret[0] = bpf_get_stackid(ctx, &many, mine->flags[0]);
	return 1;
}

SEC("?kprobe")
int kp_id(struct pt_regs *ctx)
{
	struct stacks_io *mine = begin(PT_REGS_IP(ctx));

	if (mine)
		mine->ret[0] = bpf_get_stackid(ctx, &many, mine->flags[0]);
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
