// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// On one of two paths, a second lookup replaces the pointer that was compared with NULL.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} hits SEC(".maps");

SEC("perf_event")
int count(void *ctx)
{
	__u32 key = bpf_get_smp_processor_id();
	__u64 *v = bpf_map_lookup_elem(&hits, &key);

	if (!v)
		return 0;
	if (bpf_get_prandom_u32() & 1) {
		key = 0;
		v = bpf_map_lookup_elem(&hits, &key);
	}
	*v += 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
