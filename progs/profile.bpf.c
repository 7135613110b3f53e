// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Who spends the time, and on which way there? A profile by command, kernel stack and user stack.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * bpf_get_stackid() puts a call chain into this map and gives its number, the same one for the same
 * chain, so that a number in a key stands for a whole stack.
 */
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, PERF_MAX_STACK_DEPTH * sizeof(__u64));
} stacks SEC(".maps");

/* Negative: no such stack. -EFAULT when there is none, as for the user stack of a kernel thread. */
struct key {
	char comm[16];
	__s32 kernel_stack;
	__s32 user_stack;
};

struct sum {
	__u64 samples;
	__u64 events;		/* samples weighed with how many events each stands for */
	void *last_addr;	/* of a page fault or breakpoint; 0 for events that have none */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct key);
	__type(value, struct sum);
} counts SEC(".maps");

/* The event's own count when it last fired on each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} event SEC(".maps");

/*
 * Asked for a frequency, perf does not know the period that yields it: it begins with 1 and
 * adapts, and the samples of that time say little. They are few, so a few are skipped and no more:
 * an event that somebody counts one by one has a period of 1 for good reason.
 */
const volatile __u64 ramp_up_period = 1000;
const volatile __u64 ramp_up_samples = 32;

__u64 skipped;
__u64 dropped;

SEC("perf_event")
int profile(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_value reading;
	struct sum *sum, none = {};
	struct key key = {};
	__u32 zero = 0;

	if (ctx->sample_period < ramp_up_period && skipped < ramp_up_samples) {
		__sync_fetch_and_add(&skipped, 1);
		return 0;
	}

	if (!bpf_perf_prog_read_value(ctx, &reading, sizeof(reading)))
		bpf_map_update_elem(&event, &zero, &reading, BPF_ANY);

	bpf_get_current_comm(key.comm, sizeof(key.comm));
	key.kernel_stack = bpf_get_stackid(ctx, &stacks, 0);
	key.user_stack = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);

	bpf_map_update_elem(&counts, &key, &none, BPF_NOEXIST);
	sum = bpf_map_lookup_elem(&counts, &key);
	if (!sum) {
		__sync_fetch_and_add(&dropped, 1);
		return 0;
	}
	__sync_fetch_and_add(&sum->samples, 1);
	__sync_fetch_and_add(&sum->events, ctx->sample_period);
	sum->last_addr = (void *)ctx->addr;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
