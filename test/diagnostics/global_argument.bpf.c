// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A global function is verified by itself, so its argument may be NULL.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct pair {
	int a, b;
};

__noinline int sum(struct pair *p)
{
	return p->a + p->b;
}

SEC("perf_event")
int count(void *ctx)
{
	struct pair p = { 1, 2 };

	return sum(&p) & 1;
}

char LICENSE[] SEC("license") = "GPL";
