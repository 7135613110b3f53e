// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A static map, which is referenced only by its section symbol.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

static struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} one SEC(".maps"), two SEC(".maps");

SEC("perf_event")
int visit(void *ctx)
{
	__u32 key = 1;

	(void)ctx;
	if (bpf_map_lookup_elem(&one, &key))
		bpf_map_delete_elem(&two, &key);
	return 0;
}

/* A static program. */
SEC("perf_event")
static __attribute__((used)) int private(void *ctx)
{
	(void)ctx;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
