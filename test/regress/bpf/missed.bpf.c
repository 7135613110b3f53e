// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program within which another one is due, and one that only counts its runs. */
#include "test/regress/bpf/context.h"

/* The helper is a tracepoint itself. */
static __always_inline int print(void)
{
	static const char fmt[] = "pload regress: missed\n";

	if (io_begin(0))
		bpf_trace_printk(fmt, sizeof(fmt));
	return 1;
}

SEC("?perf_event")
int pe_prints(void *ctx)
{
	return print();
}

SEC("?tracepoint")
int tp_prints(void *ctx)
{
	return print();
}

SEC("?kprobe")
int kp_prints(void *ctx)
{
	return print();
}

SEC("?tracepoint")
int counts(void *ctx)
{
	io_begin(0);
	return 1;
}
