/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Access to the arguments of USDT probes (<sys/sdt.h>), whose locations the loader puts in maps. */
#ifndef __USDT_BPF_H__
#define __USDT_BPF_H__

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* Maximum number of different argument lists in one object. Probes with equal lists share one. */
#ifndef BPF_USDT_MAX_SPEC_CNT
#define BPF_USDT_MAX_SPEC_CNT	256
#endif
/* Maximum number of probe addresses, used only if programs are attached without a BPF cookie. */
#ifndef BPF_USDT_MAX_IP_CNT
#define BPF_USDT_MAX_IP_CNT	(4 * BPF_USDT_MAX_SPEC_CNT)
#endif

#define BPF_USDT_MAX_ARG_CNT	12

#define ___BPF_USDT_ENOENT	2
#define ___BPF_USDT_ESRCH	3
#define ___BPF_USDT_EINVAL	22

enum __bpf_usdt_arg_type {
	BPF_USDT_ARG_CONST,	/* the constant val_off */
	BPF_USDT_ARG_REG,	/* the value of a register */
	BPF_USDT_ARG_REG_DEREF,	/* the memory at register + val_off */
	BPF_USDT_ARG_SIB,	/* as above, plus index register << scale_bitshift */
};

/* pload finds the members by name in BTF. The order is for loaders that assume fixed offsets. */
struct __bpf_usdt_arg_spec {
	__u64 val_off;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	__u8 arg_type;
	__u8 scale_bitshift;
	__u16 idx_reg_off;	/* offset in struct pt_regs, as reg_off */
#else
	__u16 idx_reg_off;
	__u8 scale_bitshift;
	__u8 arg_type;
#endif
	short reg_off;
	_Bool arg_signed;
	char arg_bitshift;	/* 64 minus the argument's size in bits */
};

struct __bpf_usdt_spec {
	struct __bpf_usdt_arg_spec args[BPF_USDT_MAX_ARG_CNT];
	__u64 usdt_cookie;
	short arg_cnt;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BPF_USDT_MAX_SPEC_CNT);
	__type(key, int);
	__type(value, struct __bpf_usdt_spec);
} __bpf_usdt_specs SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BPF_USDT_MAX_IP_CNT);
	__type(key, long);
	__type(value, __u32);
} __bpf_usdt_ip_to_spec_id SEC(".maps") __weak;

extern const _Bool LINUX_HAS_BPF_COOKIE __kconfig;

/* Find the argument list by the BPF cookie or, without a cookie, by the instruction pointer. */
static __always_inline struct __bpf_usdt_spec *___bpf_usdt_spec(struct pt_regs *ctx)
{
	int id;

	if (LINUX_HAS_BPF_COOKIE) {
		id = bpf_get_attach_cookie(ctx);
	} else {
		long ip = PT_REGS_IP(ctx);
		__u32 *found = bpf_map_lookup_elem(&__bpf_usdt_ip_to_spec_id, &ip);

		if (!found)
			return NULL;
		id = *found;
	}
	return bpf_map_lookup_elem(&__bpf_usdt_specs, &id);
}

/* bpf_usdt_arg_cnt() - Return the number of arguments, or -ESRCH if the probe is unknown. */
__weak __hidden int bpf_usdt_arg_cnt(struct pt_regs *ctx)
{
	struct __bpf_usdt_spec *spec = ___bpf_usdt_spec(ctx);

	return spec ? spec->arg_cnt : -___BPF_USDT_ESRCH;
}

/* Set *@arg to the location of argument @n. Return 0, -ESRCH (unknown probe) or -ENOENT. */
static __always_inline int ___bpf_usdt_arg_spec(struct pt_regs *ctx, __u64 n,
						struct __bpf_usdt_arg_spec **arg)
{
	struct __bpf_usdt_spec *spec = ___bpf_usdt_spec(ctx);

	if (!spec)
		return -___BPF_USDT_ESRCH;
	if (n >= BPF_USDT_MAX_ARG_CNT)
		return -___BPF_USDT_ENOENT;
	barrier_var(n);
	if (n >= spec->arg_cnt)
		return -___BPF_USDT_ENOENT;
	*arg = &spec->args[n];
	return 0;
}

/* bpf_usdt_arg_size() - Return the size in bytes of argument @arg_num, or a negative error. */
__weak __hidden int bpf_usdt_arg_size(struct pt_regs *ctx, __u64 arg_num)
{
	struct __bpf_usdt_arg_spec *arg;
	int err = ___bpf_usdt_arg_spec(ctx, arg_num, &arg);

	return err ? err : (64 - arg->arg_bitshift) >> 3;
}

/* Read the argument from user memory at register + (index register << scale) + val_off. */
static __always_inline int ___bpf_usdt_read(struct pt_regs *ctx, struct __bpf_usdt_arg_spec *arg,
					    unsigned long *val)
{
	unsigned long index = 0;
	int err = bpf_probe_read_kernel(val, sizeof(*val), (void *)ctx + arg->reg_off);

	if (!err && arg->arg_type == BPF_USDT_ARG_SIB)
		err = bpf_probe_read_kernel(&index, sizeof(index), (void *)ctx + arg->idx_reg_off);
	if (!err)
		err = bpf_probe_read_user(val, sizeof(*val),
					  (void *)(*val + (index << arg->scale_bitshift) +
						   arg->val_off));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	*val >>= arg->arg_bitshift;
#endif
	return err;
}

/*
 * bpf_usdt_arg() - Read an argument of the probe.
 * @arg_num: counted from 0.
 * @res: set to the value extended to 64 bits, or to 0 on error.
 *
 * Return: 0, -ESRCH (unknown probe), -ENOENT (no such argument), -EINVAL (its location is not
 * readable by a BPF program, about which the loader has warned), or the error of the read.
 */
__weak __hidden int bpf_usdt_arg(struct pt_regs *ctx, __u64 arg_num, long *res)
{
	struct __bpf_usdt_arg_spec *arg;
	unsigned long val = 0;
	int err;

	*res = 0;
	err = ___bpf_usdt_arg_spec(ctx, arg_num, &arg);
	if (err)
		return err;
	switch (arg->arg_type) {
	case BPF_USDT_ARG_CONST:
		val = arg->val_off;
		break;
	case BPF_USDT_ARG_REG:
		err = bpf_probe_read_kernel(&val, sizeof(val), (void *)ctx + arg->reg_off);
		break;
	case BPF_USDT_ARG_REG_DEREF:
	case BPF_USDT_ARG_SIB:
		err = ___bpf_usdt_read(ctx, arg, &val);
		break;
	default:
		err = -___BPF_USDT_EINVAL;
	}
	if (err)
		return err;
	val <<= arg->arg_bitshift;
	*res = arg->arg_signed ? (long)val >> arg->arg_bitshift : val >> arg->arg_bitshift;
	return 0;
}

/* bpf_usdt_cookie() - Return the cookie that the user set (pload --cookie=N), or 0 without one. */
__weak __hidden long bpf_usdt_cookie(struct pt_regs *ctx)
{
	struct __bpf_usdt_spec *spec = ___bpf_usdt_spec(ctx);

	return spec ? spec->usdt_cookie : 0;
}

/* BPF_USDT() gives the program the probe's arguments as parameters; an unreadable one is 0. */
#define ___bpf_usdt_arg(n) \
	({ long ___x; bpf_usdt_arg(ctx, (n) - 1, &___x); (void *)___x; })

#define BPF_USDT(name, args...) \
	___bpf_prog(name, struct pt_regs, \
		    return ____##name(ctx ___bpf_each(___bpf_usdt_arg, ##args)), ##args)

#endif
