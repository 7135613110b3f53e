// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A function that no kernel has, as a strong extern: it must be refused by name.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int pload_no_such_function(int what) __ksym;

SEC("raw_tp/sys_enter")
int call(void *ctx)
{
	(void)ctx;
	return pload_no_such_function(1);
}

char LICENSE[] SEC("license") = "GPL";
