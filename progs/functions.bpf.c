// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How often is each of many functions called? One program on all of them, by one link.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

/*
 * What stands behind the "/" is a pattern of functions that ftrace can change. A link on hundreds
 * of them is made at once, where one kprobe after the other would take minutes. --functions= names
 * others:
 *
 *	pload --attach=link --functions='ext4_*,!ext4_es_*' functions.bpf.o
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, void *);	/* where the function begins */
	__type(value, __u64);
} calls SEC(".maps");

__u64 dropped;

SEC("kprobe.multi/vfs_*")
int functions(struct pt_regs *ctx)
{
	void *ip = (void *)bpf_get_func_ip(ctx);
	__u64 *n = bpf_map_lookup_elem(&calls, &ip), one = 1;

	if (n)
		__sync_fetch_and_add(n, 1);
	else if (bpf_map_update_elem(&calls, &ip, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
