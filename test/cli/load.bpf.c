// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An object with valid programs and, among them, one that the verifier rejects. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} runs SEC(".maps");

SEC("socket")
int first(void *ctx)
{
	__u32 zero = 0;
	__u64 *n = bpf_map_lookup_elem(&runs, &zero);

	return n ? *n : 0;
}

/* A pointer that may be NULL. */
SEC("socket")
int refused(void *ctx)
{
	__u32 zero = 0;
	__u64 *n = bpf_map_lookup_elem(&runs, &zero);

	return *n;
}

SEC("?socket")
int optional(void *ctx)
{
	return 0;
}

SEC("socket")
int second(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
