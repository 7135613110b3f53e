// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A field of the context is written that is read-only.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

SEC("perf_event")
int count(struct bpf_perf_event_data *ctx)
{
	ctx->sample_period = 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
