// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// With which arguments a program reaches a USDT probe of it: -e usdt:PATH:PROVIDER:NAME.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/usdt.bpf.h>

#define NR_ARGS 3

struct arguments {
	__s64 value[NR_ARGS];	/* 0 where there is none, or it cannot be read */
	__u32 nr;		/* how many the probe has */
	__u32 readable;		/* a bit for each of the first ones */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct arguments);
	__type(value, __u64);
} reached SEC(".maps");

__u64 dropped;

/*
 * Where the arguments are the compiler has left in a note beside the code: in a register here, on
 * the stack there. pload reads the notes and tells the program, which asks by the number. A program
 * for one probe names them: int BPF_USDT(name, int first, const char *second).
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
