// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count the calls of many kernel functions with one program that one link attaches to all of them.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>

/*
 * The part of the section name after the "/" is a pattern, which pload matches against the
 * functions that ftrace can trace. Creating one link to hundreds of functions is fast, while
 * hundreds of single kprobes would take minutes. The option --functions= replaces the pattern:
 *
 *	pload --attach=link --functions='ext4_*,!ext4_es_*' functions.bpf.o
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, void *);	/* address of the function's first instruction */
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
