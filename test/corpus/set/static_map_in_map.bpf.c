// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A static map of maps whose values are static maps.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
};

static struct inner first SEC(".maps"), second SEC(".maps");

static struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = {
	.values = { &first, &second },
};

SEC("perf_event")
int visit(void *ctx)
{
	__u32 key = 1;
	void *map = bpf_map_lookup_elem(&outer, &key);

	(void)ctx;
	if (map)
		bpf_map_lookup_elem(map, &key);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
