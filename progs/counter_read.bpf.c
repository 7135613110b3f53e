// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Read a hardware or software counter of the current CPU with bpf_perf_event_read().
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

/*
 * This map holds one counting event for each CPU. pload opens the events (those of --counter, or a
 * default) and stores their file descriptors here. The map has no max_entries, so pload creates it
 * with one entry for every possible CPU.
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

/* Each CPU has its own value, so that the program can update it without atomic operations. */
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

	/* A program can only read the event of its own CPU, so the index is always this CPU. */
	count = bpf_perf_event_read(&counters, BPF_F_CURRENT_CPU);

	/*
	 * This helper returns either the count or -errno, so that a count near 2^64 looks like an
	 * error. Its successor keeps the two apart: see counter_read_value.bpf.c.
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
