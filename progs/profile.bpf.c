// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Profile the machine: count samples by process, command, kernel stack and user stack.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * bpf_get_stackid() stores a call stack in this map and returns its number. Equal stacks have the
 * same number, so that a key can hold a small number instead of a whole stack.
 */
struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, PERF_MAX_STACK_DEPTH * sizeof(__u64));
} stacks SEC(".maps");

/* A negative stack number is an error. A kernel thread has no user stack, which yields -EFAULT. */
struct key {
	__u32 tgid;		/* of the process, in whose address space the user stack is */
	char comm[16];
	__s32 kernel_stack;
	__s32 user_stack;
};

struct sum {
	__u64 samples;
	__u64 events;		/* sum of the sample periods: an estimate of the events */
	void *last_addr;	/* address of the last page fault or breakpoint, or 0 */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct key);
	__type(value, struct sum);
} counts SEC(".maps");

/* The counter of the event itself, as of its last sample on each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_perf_event_value);
} event SEC(".maps");

/*
 * If the user requests a frequency, perf first has to find the matching period. It begins with 1
 * and adapts, and the samples of this ramp-up are not representative. The program skips them, but
 * only the first few, because a user may also request a period of 1 on purpose.
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

	key.tgid = bpf_get_current_pid_tgid() >> 32;
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
