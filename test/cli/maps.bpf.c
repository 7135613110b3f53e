// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Maps with initial elements: programs, inner maps; a pinned map; variables to set. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} first SEC(".maps");
static struct inner second SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 6);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = { .values = { &first, [5] = &second } };

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct inner);
} by_key SEC(".maps") = { .values = { [3] = &first } };

int target(struct xdp_md *ctx);
int left_out(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__array(values, int(void *));
} calls SEC(".maps") = { .values = { [1] = (void *)&target, [2] = (void *)&left_out } };

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} runs SEC(".maps");

enum colour { RED, GREEN = 7 };

const volatile enum colour colour = RED;
const volatile unsigned char small = 3;
const volatile int slots[3] = { 1, 1, 1 };
const volatile char text[8] = "none";
struct {
	struct {
		long deep;
	} in;
	_Bool yes;
} state = { .in.deep = 1 };
int wanted;

static __noinline void count(void *map, __u32 key, __u64 by)
{
	__u64 *value = bpf_map_lookup_elem(map, &key);

	if (value)
		__sync_fetch_and_add(value, by);
}

SEC("xdp") int target(struct xdp_md *ctx)
{
	__u32 key = 0;
	void *inner = bpf_map_lookup_elem(&outer, &key);

	(void)ctx;
	if (inner)
		count(inner, 0, 1);
	key = 5;
	inner = bpf_map_lookup_elem(&outer, &key);
	if (inner)
		count(inner, 1, 10);
	key = 3;
	inner = bpf_map_lookup_elem(&by_key, &key);
	if (inner)
		count(inner, 1, 100);
	return 40 + state.in.deep + (state.yes ? text[0] : 0);
}

SEC("?xdp") int left_out(struct xdp_md *ctx)
{
	(void)ctx;
	return 50;
}

/* The verifier rejects the address unless it knows that colour is one of the two. */
SEC("xdp") int entry(struct xdp_md *ctx)
{
	count(&runs, 0, small);
	if (colour != RED && colour != GREEN)
		wanted = *(volatile int *)8;
	bpf_tail_call(ctx, &calls, slots[1]);
	return 60;
}

char LICENSE[] SEC("license") = "GPL";
