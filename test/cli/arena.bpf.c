// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Initialized variables in an arena. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define __arena __attribute__((address_space(1)))

struct {
	__uint(type, BPF_MAP_TYPE_ARENA);
	__uint(max_entries, 100);
} arena SEC(".maps");

long __arena counter = 40;
int __arena zero;

SEC("xdp") int prog(struct xdp_md *ctx)
{
	(void)ctx;
	asm volatile("" :: "r"(&arena));
	zero++;
	counter += 2;
	return counter * 10 + zero;
}

char LICENSE[] SEC("license") = "GPL";
