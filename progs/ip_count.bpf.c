// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Find where the CPU spends its time: count the samples at each instruction pointer.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/*
 * A map is memory that a program shares with user space. pload reads the map's definition from the
 * BTF of this variable, creates the map, and prints its contents when the session ends. The key is
 * never dereferenced. It is a pointer only so that pload prints it as an address.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, void *);
	__type(value, __u64);
} hits SEC(".maps");

/* Global variables live in maps, too. This one is part of the only value of the array map .bss. */
__u64 dropped;

/*
 * The section name "perf_event" sets the type of the program: the kernel calls it for each sample
 * of a perf event. The option -e selects the event. Without -e, pload samples CPU time.
 */
SEC("perf_event")
int ip_count(struct bpf_perf_event_data *ctx)
{
	void *ip = (void *)PT_REGS_IP(&ctx->regs);
	__u64 *count, one = 1;

	count = bpf_map_lookup_elem(&hits, &ip);
	if (count) {
		/* The addition is atomic because another CPU may add to the same value. */
		__sync_fetch_and_add(count, 1);
		return 0;
	}
	/* Insert the key. This fails if another CPU has just inserted it, or if the map is full. */
	if (bpf_map_update_elem(&hits, &ip, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);

	/* 0 discards the sample. Any other value lets perf write it to the ring of the event. */
	return 0;
}

/* Many helpers are only available to GPL-compatible programs; a dual license is one. */
char LICENSE[] SEC("license") = "Dual BSD/GPL";
