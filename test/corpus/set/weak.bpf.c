// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Weak and hidden symbols: functions and data that another object may override.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__weak int choose(int n)
{
	return n + 1;
}

__hidden __noinline int inward(int n)
{
	barrier_var(n);
	return n - 1;
}

__weak __u64 weak_counter;
__weak __u32 weak_start = 5;
const volatile __weak __u32 weak_limit = 100;
__hidden __u64 hidden_counter;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} weak_map SEC(".maps") __weak;

SEC("perf_event")
__weak int use(void *ctx)
{
	__u32 key = 0;
	__u64 *value = bpf_map_lookup_elem(&weak_map, &key);

	(void)ctx;
	if (value)
		*value += inward(weak_start);
	if (weak_counter < weak_limit)
		weak_counter += choose(weak_start);
	hidden_counter++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
