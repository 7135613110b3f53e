// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The other half: functions, data and a map that linked_one needs.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 shared_counter = 1;
const volatile __u32 shared_limit = 9;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} shared SEC(".maps");

static __u64 same_name;

static __noinline int local(int n)
{
	barrier_var(n);
	return n + 2;
}

__noinline int from_other(int n)
{
	same_name++;
	return local(n) + (int)shared_counter;
}

__noinline int overridden(int n)
{
	return local(n) * 2;
}

SEC("perf_event")
int two(void *ctx)
{
	__u32 key = 1;

	(void)ctx;
	if (bpf_map_lookup_elem(&shared, &key))
		same_name = from_other(1);
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_getppid")
int three(void *ctx)
{
	(void)ctx;
	return local(2) > 10;
}

char LICENSE[] SEC("license") = "GPL";
