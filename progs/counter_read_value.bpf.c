// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Read a counter that shared the hardware with others, and scale its count by its running time.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} counters SEC(".maps");

struct estimate {
	__u64 counter;		/* the count as read */
	__u64 enabled;		/* ns during which the event was enabled */
	__u64 running;		/* ns during which it occupied a hardware counter */
	__u64 scaled;		/* the estimated count for all of the enabled time */
	__u64 reads;
	__u64 never_ran;	/* readings with no running time, which cannot be scaled */
	__u64 errors;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct estimate);
} estimates SEC(".maps");

/* Compute counter * enabled / running in steps, because the product may not fit in 64 bits. */
static __u64 scale(__u64 counter, __u64 enabled, __u64 running)
{
	/* Above 4 seconds (2^32 ns) a precision of one millisecond (2^20 ns) is enough. */
	if (enabled >> 32) {
		enabled >>= 20;
		running >>= 20;
	}
	if (running == 0)
		return counter;
	return counter / running * enabled + counter % running * enabled / running;
}

SEC("perf_event")
int counter_read_value(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_value value;
	struct estimate *estimate;
	__u32 zero = 0;

	estimate = bpf_map_lookup_elem(&estimates, &zero);
	if (!estimate)
		return 0;

	if (bpf_perf_event_read_value(&counters, BPF_F_CURRENT_CPU, &value, sizeof(value))) {
		estimate->errors++;
		return 0;
	}
	estimate->reads++;
	estimate->counter = value.counter;
	estimate->enabled = value.enabled;
	estimate->running = value.running;
	if (value.running == 0)
		estimate->never_ran++;
	else if (value.running == value.enabled)
		estimate->scaled = value.counter;
	else
		estimate->scaled = scale(value.counter, value.enabled, value.running);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
