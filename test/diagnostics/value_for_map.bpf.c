// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A value is passed where the helper takes a map.
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
	__u32 key = 0;
	__u64 *v = bpf_map_lookup_elem(&hits, &key);

	if (v)
		bpf_map_delete_elem(v, &key);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
