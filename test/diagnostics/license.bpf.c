// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program of another license calls a helper for GPL programs.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char text[16];

SEC("perf_event")
int copy(void *ctx)
{
	bpf_probe_read_kernel(text, sizeof(text), (void *)bpf_get_current_task());
	return 0;
}

char LICENSE[] SEC("license") = "Proprietary";
