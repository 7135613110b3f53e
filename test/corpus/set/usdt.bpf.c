// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// USDT probes, and the maps into which a loader writes the location of arguments.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* One argument: a constant, a register, or memory at a register, with its size in bits. */
struct __bpf_usdt_arg_spec {
	__u64 val_off;
	int arg_type;
	short reg_off;
	_Bool arg_signed;
	char arg_bitshift;
};

struct __bpf_usdt_spec {
	struct __bpf_usdt_arg_spec args[12];
	__u64 usdt_cookie;
	short arg_cnt;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 256);
	__type(key, int);
	__type(value, struct __bpf_usdt_spec);
} __bpf_usdt_specs SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, long);
	__type(value, __u32);
} __bpf_usdt_ip_to_spec_id SEC(".maps") __weak;

extern const _Bool LINUX_HAS_BPF_COOKIE __kconfig;

__u64 hits, args;

static __noinline struct __bpf_usdt_spec *find(struct pt_regs *ctx)
{
	long ip = PT_REGS_IP(ctx);
	int id, *by_ip;

	if (LINUX_HAS_BPF_COOKIE) {
		id = bpf_get_attach_cookie(ctx);
	} else {
		by_ip = bpf_map_lookup_elem(&__bpf_usdt_ip_to_spec_id, &ip);
		if (!by_ip)
			return NULL;
		id = *by_ip;
	}
	return bpf_map_lookup_elem(&__bpf_usdt_specs, &id);
}

SEC("usdt")
int any(struct pt_regs *ctx)
{
	struct __bpf_usdt_spec *spec = find(ctx);

	if (spec)
		args += spec->arg_cnt;
	hits++;
	return 0;
}

SEC("usdt/libc.so.6:libc:setjmp")
int setjmp(struct pt_regs *ctx)
{
	struct __bpf_usdt_spec *spec = find(ctx);
	__u64 value = 0;

	if (spec && spec->arg_cnt > 0 && spec->args[0].reg_off >= 0 &&
	    spec->args[0].reg_off < 168)
		bpf_probe_read_kernel(&value, sizeof(value), (void *)ctx + spec->args[0].reg_off);
	args += value;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
