// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A loop has more rounds than the verifier follows.
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
	for (__u32 i = 0; i < 2000000; i++) {
		__u64 *v = bpf_map_lookup_elem(&hits, &i);

		if (v)
			*v = i;
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
