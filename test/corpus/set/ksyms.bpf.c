// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Addresses of untyped kernel symbols, one of which does not exist.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern const void schedule __ksym;
extern const void init_task __ksym __weak;	/* not a function: not every kernel lists it */
extern const void vprintk __ksym;
extern const void no_such_symbol __ksym __weak;

__u64 out[4];

SEC("raw_tp/sys_enter")
int addresses(void *ctx)
{
	(void)ctx;
	out[0] = (__u64)&schedule;
	out[1] = (__u64)&init_task;
	out[2] = (__u64)&vprintk;
	out[3] = (__u64)&no_such_symbol;
	if (&no_such_symbol)
		out[3]++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
