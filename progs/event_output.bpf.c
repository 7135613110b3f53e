// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One record for each context switch, sent to user space through the perf ring of its CPU.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

enum reason {
	PREEMPTED,	/* it could have gone on */
	SLEEPS,
	WAITS,		/* not to be disturbed, mostly for a disk */
	OTHER,
};

struct task {
	__u32 pid;
	char comm[16];
};

/* pload knows a record's type by its size, so no other struct in this file is of this one's. */
struct event {
	__u64 time;
	__u32 cpu;
	enum reason reason;
	struct task from;
	struct task to;
};

/*
 * A tracepoint's context is its record in the trace buffer. Fields and offsets are in tracefs,
 * events/sched/sched_switch/format; the first eight bytes are the same for all tracepoints.
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
	/* Bit 8 marks a task that was preempted, on top of what it was doing. */
	if (state == 0 || state & 0x100)
		return PREEMPTED;
	if (state & 1)
		return SLEEPS;
	if (state & 2)
		return WAITS;
	return OTHER;
}

/*
 * A function of its own, also for the BTF: the compiler describes the types of variables, maps and
 * functions, and a struct which only a helper is given as void * would be left out.
 */
static __noinline long send(struct sched_switch *ctx, struct event *event)
{
	return bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, event, sizeof(*event));
}

SEC("tracepoint/sched/sched_switch")
int event_output(struct sched_switch *ctx)
{
	/* All of it is sent, so all of it has to be written: the verifier insists. */
	struct event event = {
		.time = bpf_ktime_get_ns(),
		.cpu = bpf_get_smp_processor_id(),
		.reason = reason_of(ctx->prev_state),
		.from.pid = ctx->prev_pid,
		.to.pid = ctx->next_pid,
	};

	__builtin_memcpy(event.from.comm, ctx->prev_comm, sizeof(event.from.comm));
	__builtin_memcpy(event.to.comm, ctx->next_comm, sizeof(event.to.comm));

	/* A full ring loses the record; perf counts that as well, and pload shows both. */
	if (send(ctx, &event))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
