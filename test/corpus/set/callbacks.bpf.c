// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Addresses of functions: bpf_loop, bpf_for_each_map_elem, timers, bpf_find_vma.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct slot {
	struct bpf_timer timer;
	__u64 fired;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32);
	__type(key, __u32);
	__type(value, __u64);
} counts SEC(".maps");

__u64 turns, sum;

static __noinline __u64 helper(__u64 n)
{
	barrier_var(n);
	return n + 1;
}

static long turn(__u64 i, void *context)
{
	turns += helper(i);
	return context ? 0 : 1;
}

static long other_turn(__u64 i, void *context)
{
	(void)context;
	return i > 3;
}

static long visit(void *map, __u32 *key, __u64 *value, void *context)
{
	(void)map;
	(void)context;
	sum += *value + helper(*key);
	return 0;
}

static int expired(void *map, __u32 *key, struct slot *slot)
{
	(void)map;
	(void)key;
	slot->fired++;
	return 0;
}

SEC("tracepoint/syscalls/sys_enter_getppid")
int loops(void *ctx)
{
	long (*callback)(__u64, void *) = bpf_get_prandom_u32() & 1 ? turn : turn;
	int here = 0;

	(void)ctx;
	bpf_loop(10, callback, &here, 0);
	bpf_loop(5, other_turn, NULL, 0);
	bpf_for_each_map_elem(&counts, visit, NULL, 0);
	return 0;
}

SEC("tc")
int timers(struct __sk_buff *skb)
{
	__u32 key = 0;
	struct slot *slot = bpf_map_lookup_elem(&slots, &key);

	(void)skb;
	if (!slot)
		return 0;
	bpf_timer_init(&slot->timer, &slots, 1);
	bpf_timer_set_callback(&slot->timer, expired);
	bpf_timer_start(&slot->timer, 1000000, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
