// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program reads a hardware or software counter of its CPU with bpf_perf_event_read().
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * One counting event for each CPU: pload opens them (those of --counter, or else the default) and
 * puts their fds here. Without max_entries it makes room for every CPU the machine can have.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} counters SEC(".maps");

struct reading {
	__u64 reads;
	__u64 first;
	__u64 last;
	__u64 errors;
	__s64 last_error;
};

/* A value for each CPU needs no atomic operations, and its CPU's counter is the one it read. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct reading);
} readings SEC(".maps");

SEC("perf_event")
int counter_read(struct bpf_perf_event_data *ctx)
{
	struct reading *reading;
	__u32 zero = 0;
	__s64 count;

	reading = bpf_map_lookup_elem(&readings, &zero);
	if (!reading)
		return 0;

	/* Only the CPU that an event counts on can read it, so the index is always this CPU. */
	count = bpf_perf_event_read(&counters, BPF_F_CURRENT_CPU);

	/*
	 * This helper has one number for a count and for -errno: a count near 2^64 looks like an
	 * error. counter_read_value.bpf.c shows its successor, which has two.
	 */
	if (count < 0 && count >= -4095) {
		reading->errors++;
		reading->last_error = count;
		return 0;
	}
	if (reading->reads++ == 0)
		reading->first = count;
	reading->last = count;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
