// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Half of an object for a static linker: linked_two defines what it lacks.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int from_other(int n);
extern __u64 shared_counter;
extern const volatile __u32 shared_limit;

/* A map of the other half. */
extern struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} shared SEC(".maps");

__weak int overridden(int n)
{
	return n;
}

static __noinline int local(int n)
{
	barrier_var(n);
	return n + 1;
}

static __u64 same_name = 1;

SEC("perf_event")
int one(void *ctx)
{
	__u32 key = shared_limit;

	(void)ctx;
	shared_counter += from_other(local(3)) + overridden(2);
	same_name++;
	bpf_map_delete_elem(&shared, &key);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
