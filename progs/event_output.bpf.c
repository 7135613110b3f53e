// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Send a record of each context switch to user space through the perf ring of the CPU.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

enum reason {
	PREEMPTED,	/* The task was still runnable. */
	SLEEPS,
	WAITS,		/* It waits without reacting to signals, mostly for a disk. */
	OTHER,
};

struct task {
	__u32 pid;
	char comm[16];
};

/* pload finds a record's type in BTF by its size, so no other struct here may have this size. */
struct event {
	__u64 time;
	__u32 cpu;
	enum reason reason;
	struct task from;
	struct task to;
};

/*
 * The context of a tracepoint program is the tracepoint's record in the trace buffer. The file
 * events/sched/sched_switch/format in tracefs lists its fields and their offsets. The first eight
 * bytes have the same meaning for every tracepoint.
 */
struct sched_switch {
	__u64 common;
	char prev_comm[16];
	__s32 prev_pid;
	__s32 prev_prio;
	__s64 prev_state;
	char next_comm[16];
	__s32 next_pid;
	__s32 next_prio;
};

__u64 dropped;

static enum reason reason_of(__s64 state)
{
	/* Bit 8 marks a preempted task; the lower bits still hold its state. */
	if (state == 0 || state & 0x100)
		return PREEMPTED;
	if (state & 1)
		return SLEEPS;
	if (state & 2)
		return WAITS;
	return OTHER;
}

/*
 * This is a function and not inlined, so that BTF describes struct event. The compiler emits the
 * types of variables, maps and functions into BTF. It would leave out a struct that is used only
 * as the void * argument of a helper.
 */
static __noinline long send(struct sched_switch *ctx, struct event *event)
{
	return bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, event, sizeof(*event));
}

SEC("tracepoint/sched/sched_switch")
int event_output(struct sched_switch *ctx)
{
	/* The verifier requires that every byte of the record is initialized before it is sent. */
	struct event event = {
		.time = bpf_ktime_get_ns(),
		.cpu = bpf_get_smp_processor_id(),
		.reason = reason_of(ctx->prev_state),
		.from.pid = ctx->prev_pid,
		.to.pid = ctx->next_pid,
	};

	__builtin_memcpy(event.from.comm, ctx->prev_comm, sizeof(event.from.comm));
	__builtin_memcpy(event.to.comm, ctx->next_comm, sizeof(event.to.comm));

	/* A full ring drops the record. perf counts such losses, too; pload prints both counts. */
	if (send(ctx, &event))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
