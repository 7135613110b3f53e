// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count the argument values with which a process reaches a USDT probe (-e usdt:PATH:PROVIDER:NAME).
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/usdt.bpf.h>

#define NR_ARGS 3

struct arguments {
	__s64 value[NR_ARGS];	/* 0 if the argument does not exist or cannot be read */
	__u32 nr;		/* number of arguments of the probe */
	__u32 readable;		/* bit i is set if value[i] was read */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct arguments);
	__type(value, __u64);
} reached SEC(".maps");

__u64 dropped;

/*
 * An argument may be in a register or on the stack. The compiler records its location in a note of
 * the ELF file. pload reads the notes and stores the locations in a map, so that bpf_usdt_arg() can
 * find an argument by its number. A program written for one probe can name the arguments:
 * int BPF_USDT(name, int first, const char *second).
 */
SEC("usdt")
int on_usdt(struct pt_regs *ctx)
{
	struct arguments key = {};
	__u64 one = 1, *n;
	int nr = bpf_usdt_arg_cnt(ctx);

	key.nr = nr < 0 ? 0 : nr;
	for (int i = 0; i < NR_ARGS; i++) {
		long value;

		if (bpf_usdt_arg(ctx, i, &value))
			continue;
		key.value[i] = value;
		key.readable |= 1u << i;
	}
	n = bpf_map_lookup_elem(&reached, &key);
	if (n)
		__sync_fetch_and_add(n, 1);
	else if (bpf_map_update_elem(&reached, &key, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
