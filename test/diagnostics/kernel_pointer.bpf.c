// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A pointer to memory of the kernel is followed as if it were the program's own.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 first;

SEC("perf_event")
int record(void *ctx)
{
	__u64 *task = (__u64 *)bpf_get_current_task();

	first = *task;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
