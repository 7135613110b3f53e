// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The result of a lookup is used as if the key were always found.
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
	__u64 *v;

	v = bpf_map_lookup_elem(&hits, &key);
	*v += 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
