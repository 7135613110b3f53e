// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A loop waits for another CPU.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

volatile int ready;

SEC("perf_event")
int wait(void *ctx)
{
	while (!ready)
		;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
