// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps of the kinds that are printed at the end of a session, and variables of each section. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/map.h"

enum state { IDLE, BUSY = 7 };

struct pair {
	__u32 first;
	__s32 second;
};

MAP(hash, HASH, 8, __u32, struct pair);
MAP(array, ARRAY, 3, __u32, enum state);

/* Smaller than the eight bytes that each CPU's value takes. */
MAP(percpu, PERCPU_ARRAY, 2, __u32, __u32);

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 2);
	__uint(value_size, sizeof(__u64));
} queue SEC(".maps");

const volatile __u32 constant = 1;
const volatile __u32 other_constant SEC(".rodata.more") = 2;
volatile __s64 negative = -5;
volatile enum state state = BUSY;
volatile struct pair more SEC(".data.more") = { 6, -7 };
volatile __u16 zero[2];

SEC("tc")
int reads_all(struct __sk_buff *ctx)
{
	return constant + other_constant + negative + state + more.second + zero[1];
}

char LICENSE[] SEC("license") = "GPL";
