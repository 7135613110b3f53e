// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps that are pinned by name in bpffs, and reused if they exist there.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} pload_corpus_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} pload_corpus_array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
	__uint(pinning, LIBBPF_PIN_NONE);
} own SEC(".maps");

SEC("tc")
int count(struct __sk_buff *skb)
{
	__u32 key = 0;
	__u64 *value = bpf_map_lookup_elem(&pload_corpus_array, &key);

	if (value)
		*value += skb->len;
	value = bpf_map_lookup_elem(&pload_corpus_hash, &key);
	if (value)
		++*value;
	value = bpf_map_lookup_elem(&own, &key);
	return value && *value;
}

char LICENSE[] SEC("license") = "GPL";
