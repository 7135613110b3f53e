// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A symbol that no kernel has, as a strong extern: it must be refused by name.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern const void pload_no_such_symbol __ksym;

__u64 out;

SEC("raw_tp/sys_enter")
int address(void *ctx)
{
	(void)ctx;
	out = (__u64)&pload_no_such_symbol;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
