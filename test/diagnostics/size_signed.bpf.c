// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The size of a read may be negative.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char line[64];
int size;

SEC("perf_event")
int copy(void *ctx)
{
	if (size < 64)
		bpf_probe_read_kernel(line, size, (void *)bpf_get_current_task());
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
