// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Empty data sections.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct empty {
} nothing SEC(".data.nothing");
const struct empty constant SEC(".rodata.nothing");

__u64 calls;

SEC("perf_event")
int touch(void *ctx)
{
	(void)ctx;
	calls += (__u64)&nothing & 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
