// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One reference of each kind: a map, variables, calls with and without a relocation, and a callback.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} samples SEC(".maps");

/* .bss: leaf() uses the first of them, which clang then places at 0; sum follows at 8. */
__u64 leaves, sum;
__u64 steps = 100;
static __u64 table[3] = { 1, 2, 3 };
const volatile __u64 limit = 1000000;

/*
 * Static functions are in .text. top() calls mid() from another section, for which clang writes a
 * relocation. From mid() to leaf() clang knows the distance, and writes none. "used" is for order:
 * leaf() is the first of .text, and the addends of mid() and step() are not 0.
 */
__attribute__((used))
static __noinline __u64 leaf(__u64 n)
{
	__sync_fetch_and_add(&leaves, 1);
	__sync_fetch_and_add(&table[1], n);
	return n + 1;
}

static __noinline __u64 mid(__u64 n)
{
	return leaf(n) + 1;
}

/* bpf_loop() gets the address of this function. */
static long step(__u32 i, void *ctx)
{
	__sync_fetch_and_add(&steps, 1);
	return 0;
}

SEC("perf_event")
int top(struct bpf_perf_event_data *ctx)
{
	__u32 key = 0;
	__u64 *n = bpf_map_lookup_elem(&samples, &key);

	if (!n || sum >= limit)
		return 0;
	__sync_fetch_and_add(n, 1);
	__sync_fetch_and_add(&sum, mid(1));
	bpf_loop(2, step, NULL, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
