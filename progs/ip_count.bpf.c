// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where is the time spent? Counts, for every instruction pointer that a sample hits, how often.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/*
 * A map is the memory that a program shares with user space. pload reads its definition from the
 * BTF of this variable, creates it, and shows what is in it when the session ends. The key is a
 * pointer type, although nobody may follow it, because then it is shown as an address.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, void *);
	__type(value, __u64);
} hits SEC(".maps");

/* Global variables live in maps, too: this one in the only value of the array map .bss. */
__u64 dropped;

/*
 * "perf_event" says which type of program this is: one that the kernel calls on each sample of an
 * event. It leaves open on which event; -e says that, or pload takes what counts time here.
 */
SEC("perf_event")
int ip_count(struct bpf_perf_event_data *ctx)
{
	void *ip = (void *)PT_REGS_IP(&ctx->regs);
	__u64 *count, one = 1;

	count = bpf_map_lookup_elem(&hits, &ip);
	if (count) {
		/* Another CPU may be adding to the same value. */
		__sync_fetch_and_add(count, 1);
		return 0;
	}
	/* Not there: make it, unless somebody else just has; and a full map refuses. */
	if (bpf_map_update_elem(&hits, &ip, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);

	/* 0: the sample goes no further. Otherwise it would be written to the event's ring. */
	return 0;
}

/* Many helpers are for GPL programs only; a dual license counts. */
char LICENSE[] SEC("license") = "Dual BSD/GPL";
