// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Calls, maps and variables that all contribute to the return value, which thus proves how they are
 * linked.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/map.h"

MAP(first, ARRAY, 4, __u32, __u32);
MAP(second, HASH, 4, __u64, __u32);

const volatile __u32 units = 1, tens = 2;	/* .rodata */
volatile __u32 hundreds = 3, thousands = 4;	/* .data */
volatile __u32 unused, counted;			/* .bss */
/* Sections of their own, each a map of its own. */
const volatile __u32 ten_thousands SEC(".rodata.first") = 5;
const volatile __u32 hundred_thousands SEC(".rodata.second") = 6;
volatile __u32 millions SEC(".data.more") = 7;

static __attribute__((noinline)) __u32 add(__u32 a, __u32 b)
{
	counted++;
	return a + b;
}

static __attribute__((noinline)) __u32 ten_times(__u32 a)
{
	return add(8 * a, 2 * a);
}

/* Returns 7654321 plus 5000 for each call of add(), of which there are six. */
SEC("tc")
int linked(struct __sk_buff *ctx)
{
	__u32 value = units, three = 3, none = 0, *runs;
	__u64 key = 7;

	value = add(value, ten_times(tens));
	value = add(value, ten_times(ten_times(hundreds)));
	value = add(value, 1000 * thousands);
	value += 5000 * counted;
	value += 10000 * ten_thousands + 100000 * hundred_thousands + 1000000 * millions;
	runs = bpf_map_lookup_elem(&first, &three);
	if (!runs || unused)
		return 0;
	++*runs;
	if (!bpf_map_lookup_elem(&second, &key))
		bpf_map_update_elem(&second, &key, &none, BPF_ANY);
	runs = bpf_map_lookup_elem(&second, &key);
	if (!runs)
		return 0;
	*runs += 2;
	return value;
}

char LICENSE[] SEC("license") = "GPL";
