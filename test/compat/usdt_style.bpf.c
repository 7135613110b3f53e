// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// USDT probes as people write them for libbpf's header: by name, by number, in other sizes.
#define __TARGET_ARCH_x86
#define BPF_USDT_MAX_SPEC_CNT 32
#define BPF_USDT_MAX_IP_CNT 64
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

int my_pid;
int called, cnt;
__u64 cookie;
long args[BPF_USDT_MAX_ARG_CNT];
int errors[BPF_USDT_MAX_ARG_CNT], sizes[BPF_USDT_MAX_ARG_CNT];

SEC("usdt")
int by_number(struct pt_regs *ctx)
{
	if (my_pid != (int)(bpf_get_current_pid_tgid() >> 32))
		return 0;
	__sync_fetch_and_add(&called, 1);
	cookie = bpf_usdt_cookie(ctx);
	cnt = bpf_usdt_arg_cnt(ctx);
	for (int i = 0; i < BPF_USDT_MAX_ARG_CNT; i++) {
		long value = 0;

		errors[i] = bpf_usdt_arg(ctx, i, &value);
		args[i] = value;
		sizes[i] = bpf_usdt_arg_size(ctx, i);
	}
	return 0;
}

SEC("usdt//proc/self/exe:test:usdt3")
int BPF_USDT(by_name, int a, long b, void *c)
{
	args[0] = a;
	args[1] = b;
	args[2] = (long)c;
	return 0;
}

SEC("usdt.s/./program:test:many")
int BPF_USDT(sleepable, long a1, long a2, long a3, long a4, long a5, long a6, long a7, long a8,
	     long a9, long a10, long a11, long a12)
{
	args[0] = a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12;
	return 0;
}

SEC("usdt/./program:test:none")
int BPF_USDT(without)
{
	return 0;
}

char _license[] SEC("license") = "GPL";
