// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The object with which loaders are timed: a perf_event program, a hash map, .bss and .rodata. */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u64);
	__uint(max_entries, 1024);
} hits SEC(".maps");

const volatile __u32 wanted = 7;
__u64 total;

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id() + wanted;
	__u64 one = 1;

	__sync_fetch_and_add(&total, one);
	bpf_map_update_elem(&hits, &cpu, &one, BPF_ANY);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
