// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps as they were defined before BTF: an array of numbers in section "maps".
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct bpf_map_def SEC("maps") counts = {
	.type = BPF_MAP_TYPE_HASH,
	.key_size = sizeof(__u32),
	.value_size = sizeof(__u64),
	.max_entries = 128,
};

struct bpf_map_def SEC("maps") values = {
	.type = BPF_MAP_TYPE_ARRAY,
	.key_size = sizeof(__u32),
	.value_size = 16,
	.max_entries = 4,
};

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 key = ctx->ingress_ifindex;
	__u64 one = 1, *value = bpf_map_lookup_elem(&counts, &key);

	if (value)
		__sync_fetch_and_add(value, 1);
	else
		bpf_map_update_elem(&counts, &key, &one, BPF_ANY);
	key = 0;
	bpf_map_lookup_elem(&values, &key);
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
