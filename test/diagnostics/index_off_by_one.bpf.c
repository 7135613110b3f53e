// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The limit of an index is larger than the array by one.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64[64]);
} slots SEC(".maps");

SEC("perf_event")
int count(void *ctx)
{
	__u32 zero = 0, n = bpf_get_prandom_u32();
	__u64 *slot = bpf_map_lookup_elem(&slots, &zero);

	if (slot && n <= 64)
		slot[n]++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
