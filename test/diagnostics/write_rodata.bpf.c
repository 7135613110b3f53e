// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A constant is written.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

const volatile int limit = 5;

SEC("perf_event")
int count(void *ctx)
{
	*(volatile int *)&limit = 7;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
