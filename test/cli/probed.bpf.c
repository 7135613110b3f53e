// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that counts the uprobes and USDT probes of test/cli/probed.c, for symbols.sh.
#ifdef LIBBPF
#include <stdbool.h>
#endif
#include <linux/bpf.h>
#include <linux/ptrace.h>
#ifdef LIBBPF
#include <bpf/bpf_helpers.h>
#endif
#include <bpf/usdt.bpf.h>

int works, rounds, places, count, counted, unreadable;
long cookie, last[4], third[4];
int sizes[4];

SEC("uprobe") int on_work(void *ctx)
{
	works++;
	return 0;
}

/* Two locations: one in the rounds, and one at the end, which passes -1. */
SEC("usdt") int BPF_USDT(begin, int round, long sum, short entry, unsigned char narrow)
{
	static long first_ip;
	long args[4] = { round, sum, entry, narrow };

	rounds++;
	if (PT_REGS_IP(ctx) != first_ip) {
		first_ip = PT_REGS_IP(ctx);
		places++;
	}
	for (int i = 0; i < 4; i++) {
		last[i] = args[i];
		if (round == 2)
			third[i] = args[i];
#ifndef LIBBPF
		sizes[i] = bpf_usdt_arg_size(ctx, i);
#endif
	}
	count = bpf_usdt_arg_cnt(ctx);
	cookie = bpf_usdt_cookie(ctx);
	return 0;
}

SEC("usdt") int BPF_USDT(end, int value)
{
	long unused;

	counted = value;
	unreadable = bpf_usdt_arg(ctx, 1, &unused);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
