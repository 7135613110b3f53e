// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Two functions that call each other have large variables.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

static __noinline int sum(const volatile char *p)
{
	volatile char text[300] = {};

	return text[5] + p[7];
}

SEC("xdp")
int count(void *ctx)
{
	volatile char text[300] = {};

	return sum(text) & 1;
}

char LICENSE[] SEC("license") = "GPL";
