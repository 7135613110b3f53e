// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A lock is not released where the program returns early.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct cell {
	struct bpf_spin_lock lock;
	__u32 hits;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cell);
} cells SEC(".maps");

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct cell *c = bpf_map_lookup_elem(&cells, &zero);

	if (!c)
		return XDP_PASS;
	bpf_spin_lock(&c->lock);
	if (c->hits++ > 100)
		return XDP_DROP;
	bpf_spin_unlock(&c->lock);
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
