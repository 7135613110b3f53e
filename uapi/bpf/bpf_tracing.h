/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Access to the arguments of traced functions: registers, and programs with typed parameters. */
#ifndef __BPF_TRACING_H__
#define __BPF_TRACING_H__

#include <linux/bpf_target.h>
#include <bpf/bpf_helpers.h>

/* The registers that each calling convention uses, as members of ___bpf_regs_t. */
#if defined(bpf_target_x86)

#define ___bpf_regs_t		struct pt_regs
#define ___bpf_parm1		di
#define ___bpf_parm2		si
#define ___bpf_parm3		dx
#define ___bpf_parm4		cx
#define ___bpf_parm5		r8
#define ___bpf_parm6		r9
#define ___bpf_sys_parm4	r10	/* SYSCALL overwrites rcx */
#define ___bpf_ret		sp	/* at entry, the return address is on the stack */
#define ___bpf_fp		bp
#define ___bpf_rc		ax
#define ___bpf_sp		sp
#define ___bpf_ip		ip

#elif defined(bpf_target_arm64)

/* pt_regs begins with user_pt_regs, which is all that the context of a perf_event program has. */
#define ___bpf_regs_t		struct user_pt_regs
#define ___bpf_parm1		regs[0]
#define ___bpf_parm2		regs[1]
#define ___bpf_parm3		regs[2]
#define ___bpf_parm4		regs[3]
#define ___bpf_parm5		regs[4]
#define ___bpf_parm6		regs[5]
#define ___bpf_parm7		regs[6]
#define ___bpf_parm8		regs[7]
#define ___bpf_sys_parm4	regs[3]
#define ___bpf_ret		regs[30]
#define ___bpf_fp		regs[29]
#define ___bpf_rc		regs[0]
#define ___bpf_sp		sp
#define ___bpf_ip		pc

/* The result of a system call overwrites its first argument, which orig_x0 preserves. */
struct pt_regs___arm64 {
	unsigned long orig_x0;
} __attribute__((preserve_access_index));
#define ___bpf_sys_parm1(x)	BPF_CORE_READ((const struct pt_regs___arm64 *)(x), orig_x0)

#elif defined(bpf_target_s390)

#define ___bpf_regs_t		user_pt_regs
#define ___bpf_parm1		gprs[2]
#define ___bpf_parm2		gprs[3]
#define ___bpf_parm3		gprs[4]
#define ___bpf_parm4		gprs[5]
#define ___bpf_parm5		gprs[6]
#define ___bpf_sys_parm4	gprs[5]
#define ___bpf_sys_parm6	gprs[7]
#define ___bpf_ret		gprs[14]
#define ___bpf_fp		gprs[11]
#define ___bpf_rc		gprs[2]
#define ___bpf_sp		gprs[15]
#define ___bpf_ip		psw.addr

struct pt_regs___s390 {
	unsigned long orig_gpr2;
} __attribute__((preserve_access_index));
#define ___bpf_sys_parm1(x)	BPF_CORE_READ((const struct pt_regs___s390 *)(x), orig_gpr2)

#endif

struct pt_regs;

#ifdef bpf_target_defined

/* Read one register: directly from the context, or with CO-RE through any pointer to registers. */
#define ___bpf_reg(x, reg)	(((const ___bpf_regs_t *)(x))->reg)
#define ___bpf_reg_core(x, reg)	BPF_CORE_READ((const ___bpf_regs_t *)(x), reg)

#else

#define ___bpf_no_target \
	"GCC error \"which machine? compile with -D__TARGET_ARCH_x86, _arm64 or _s390\""
#define ___bpf_reg(x, reg)	({ _Pragma(___bpf_no_target) 0l; })
#define ___bpf_reg_core(x, reg)	({ _Pragma(___bpf_no_target) 0l; })

#endif

#define PT_REGS_PARM1(x)		___bpf_reg(x, ___bpf_parm1)
#define PT_REGS_PARM2(x)		___bpf_reg(x, ___bpf_parm2)
#define PT_REGS_PARM3(x)		___bpf_reg(x, ___bpf_parm3)
#define PT_REGS_PARM4(x)		___bpf_reg(x, ___bpf_parm4)
#define PT_REGS_PARM5(x)		___bpf_reg(x, ___bpf_parm5)
#define PT_REGS_PARM6(x)		___bpf_reg(x, ___bpf_parm6)
#define PT_REGS_PARM7(x)		___bpf_reg(x, ___bpf_parm7)
#define PT_REGS_PARM8(x)		___bpf_reg(x, ___bpf_parm8)
#define PT_REGS_RET(x)		___bpf_reg(x, ___bpf_ret)
#define PT_REGS_FP(x)		___bpf_reg(x, ___bpf_fp)
#define PT_REGS_RC(x)		___bpf_reg(x, ___bpf_rc)
#define PT_REGS_SP(x)		___bpf_reg(x, ___bpf_sp)
#define PT_REGS_IP(x)		___bpf_reg(x, ___bpf_ip)

#define PT_REGS_PARM1_CORE(x)	___bpf_reg_core(x, ___bpf_parm1)
#define PT_REGS_PARM2_CORE(x)	___bpf_reg_core(x, ___bpf_parm2)
#define PT_REGS_PARM3_CORE(x)	___bpf_reg_core(x, ___bpf_parm3)
#define PT_REGS_PARM4_CORE(x)	___bpf_reg_core(x, ___bpf_parm4)
#define PT_REGS_PARM5_CORE(x)	___bpf_reg_core(x, ___bpf_parm5)
#define PT_REGS_PARM6_CORE(x)	___bpf_reg_core(x, ___bpf_parm6)
#define PT_REGS_PARM7_CORE(x)	___bpf_reg_core(x, ___bpf_parm7)
#define PT_REGS_PARM8_CORE(x)	___bpf_reg_core(x, ___bpf_parm8)
#define PT_REGS_RET_CORE(x)		___bpf_reg_core(x, ___bpf_ret)
#define PT_REGS_FP_CORE(x)		___bpf_reg_core(x, ___bpf_fp)
#define PT_REGS_RC_CORE(x)		___bpf_reg_core(x, ___bpf_rc)
#define PT_REGS_SP_CORE(x)		___bpf_reg_core(x, ___bpf_sp)
#define PT_REGS_IP_CORE(x)		___bpf_reg_core(x, ___bpf_ip)

/* Arguments of a system call. @x points to the registers at entry to the kernel. */
#ifdef ___bpf_sys_parm1
#define PT_REGS_PARM1_SYSCALL(x)	___bpf_sys_parm1(x)
#define PT_REGS_PARM1_CORE_SYSCALL(x)	___bpf_sys_parm1(x)
#else
#define PT_REGS_PARM1_SYSCALL(x)	PT_REGS_PARM1(x)
#define PT_REGS_PARM1_CORE_SYSCALL(x)	PT_REGS_PARM1_CORE(x)
#endif
#ifndef ___bpf_sys_parm6
#define ___bpf_sys_parm6		___bpf_parm6
#endif

#define PT_REGS_PARM2_SYSCALL(x)	___bpf_reg(x, ___bpf_parm2)
#define PT_REGS_PARM3_SYSCALL(x)	___bpf_reg(x, ___bpf_parm3)
#define PT_REGS_PARM4_SYSCALL(x)	___bpf_reg(x, ___bpf_sys_parm4)
#define PT_REGS_PARM5_SYSCALL(x)	___bpf_reg(x, ___bpf_parm5)
#define PT_REGS_PARM6_SYSCALL(x)	___bpf_reg(x, ___bpf_sys_parm6)
#define PT_REGS_PARM2_CORE_SYSCALL(x)	___bpf_reg_core(x, ___bpf_parm2)
#define PT_REGS_PARM3_CORE_SYSCALL(x)	___bpf_reg_core(x, ___bpf_parm3)
#define PT_REGS_PARM4_CORE_SYSCALL(x)	___bpf_reg_core(x, ___bpf_sys_parm4)
#define PT_REGS_PARM5_CORE_SYSCALL(x)	___bpf_reg_core(x, ___bpf_parm5)
#define PT_REGS_PARM6_CORE_SYSCALL(x)	___bpf_reg_core(x, ___bpf_sys_parm6)

/* With system call wrappers, the first argument is a pointer to the registers of user space. */
#define PT_REGS_SYSCALL_REGS(ctx)	((struct pt_regs *)PT_REGS_PARM1(ctx))

/* Read the return address at the entry of a function (KPROBE) and at its return (KRETPROBE). */
#if defined(bpf_target_arm64) || defined(bpf_target_s390)
#define BPF_KPROBE_READ_RET_IP(ip, ctx)		({ (ip) = PT_REGS_RET(ctx); })
#define BPF_KRETPROBE_READ_RET_IP(ip, ctx)	({ (ip) = PT_REGS_RET(ctx); })
#else
#define BPF_KPROBE_READ_RET_IP(ip, ctx) \
	({ bpf_probe_read_kernel(&(ip), sizeof(ip), (void *)PT_REGS_RET(ctx)); })
#define BPF_KRETPROBE_READ_RET_IP(ip, ctx) \
	({ bpf_probe_read_kernel(&(ip), sizeof(ip), (void *)(PT_REGS_FP(ctx) + sizeof(ip))); })
#endif

/* ___bpf_each(m, args...) expands to `, m(1) , m(2) ...` with one term for each of args. */
#define ___bpf_each0(m)
#define ___bpf_each1(m)	___bpf_each0(m), m(1)
#define ___bpf_each2(m)	___bpf_each1(m), m(2)
#define ___bpf_each3(m)	___bpf_each2(m), m(3)
#define ___bpf_each4(m)	___bpf_each3(m), m(4)
#define ___bpf_each5(m)	___bpf_each4(m), m(5)
#define ___bpf_each6(m)	___bpf_each5(m), m(6)
#define ___bpf_each7(m)	___bpf_each6(m), m(7)
#define ___bpf_each8(m)	___bpf_each7(m), m(8)
#define ___bpf_each9(m)	___bpf_each8(m), m(9)
#define ___bpf_each10(m)	___bpf_each9(m), m(10)
#define ___bpf_each11(m)	___bpf_each10(m), m(11)
#define ___bpf_each12(m)	___bpf_each11(m), m(12)
#define ___bpf_each(m, args...)	___bpf_apply(___bpf_each, ___bpf_narg(args))(m)

#define ___bpf_ctx_arg(n)		(void *)ctx[(n) - 1]
#define ___bpf_kprobe_arg(n)		(void *)PT_REGS_PARM##n(ctx)
#define ___bpf_kretprobe_arg(n)		(void *)PT_REGS_RC(ctx)
#define ___bpf_syscall_arg(n)		(void *)PT_REGS_PARM##n##_SYSCALL(regs)
#define ___bpf_syscall_core_arg(n)	(void *)PT_REGS_PARM##n##_CORE_SYSCALL(regs)

/*
 * A program with typed parameters consists of two functions. The kernel calls `name` with the
 * context; it reads the arguments and calls ____name, whose body follows the macro. Each argument
 * is passed as void *, which converts to any integer or pointer type; the pragmas silence the
 * warning about that conversion.
 */
#define ___bpf_prog(name, ctx_type, unpack, args...) \
	name(ctx_type *ctx); \
	static __always_inline typeof(name(0)) ____##name(ctx_type *ctx, ##args); \
	typeof(name(0)) name(ctx_type *ctx) \
	{ \
		_Pragma("GCC diagnostic push") \
		_Pragma("GCC diagnostic ignored \"-Wint-conversion\"") \
		unpack; \
		_Pragma("GCC diagnostic pop") \
	} \
	static __always_inline typeof(name(0)) ____##name(ctx_type *ctx, ##args)

/* For tp_btf, fentry, fexit, lsm, struct_ops, raw_tp: the context is an array of u64 arguments. */
#define BPF_PROG(name, args...) \
	___bpf_prog(name, unsigned long long, \
		    return ____##name(ctx ___bpf_each(___bpf_ctx_arg, ##args)), ##args)

#define BPF_KPROBE(name, args...) \
	___bpf_prog(name, struct pt_regs, \
		    return ____##name(ctx ___bpf_each(___bpf_kprobe_arg, ##args)), ##args)

/* A return probe has at most one parameter: the return value of the function. */
#define BPF_KRETPROBE(name, args...) \
	___bpf_prog(name, struct pt_regs, \
		    return ____##name(ctx ___bpf_each(___bpf_kretprobe_arg, ##args)), ##args)

#define BPF_UPROBE(name, args...)	BPF_KPROBE(name, ##args)
#define BPF_URETPROBE(name, args...)	BPF_KRETPROBE(name, ##args)

/*
 * A kprobe on the kernel function of a system call. If the kernel has system call wrappers, the
 * context only has a pointer to the user's registers, which are read with bpf_probe_read_kernel().
 * Otherwise the arguments are in the context.
 */
#define BPF_KSYSCALL(name, args...) \
	name(struct pt_regs *ctx); \
	extern _Bool LINUX_HAS_SYSCALL_WRAPPER __kconfig; \
	typeof(name(0)) \
	___bpf_prog(name, struct pt_regs, \
		    struct pt_regs *regs = ctx; \
		    \
		    if (LINUX_HAS_SYSCALL_WRAPPER) { \
			    regs = PT_REGS_SYSCALL_REGS(ctx); \
			    return ____##name(ctx ___bpf_each(___bpf_syscall_core_arg, ##args)); \
		    } \
		    return ____##name(ctx ___bpf_each(___bpf_syscall_arg, ##args)), ##args)
#define BPF_KPROBE_SYSCALL		BPF_KSYSCALL

/*
 * BPF_PROG2(name, type, arg, type, arg...) also supports structs passed by value: a struct of up
 * to 16 bytes occupies one or two slots of the context. ___bpf_pairsN(n, ...) expands N pairs of
 * type and argument, of which the first is in slot n.
 */
#define ___bpf_nth2(_, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, \
		    _18, _19, _20, _21, _22, _23, _24, N, ...) N
#define ___bpf_npairs(...) \
	___bpf_nth2(_, ##__VA_ARGS__, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, \
		    3, 3, 2, 2, 1, 1, 0)

#define ___bpf_slots(type)		(sizeof(type) > 8 ? 2 : 1)
#define ___bpf_slot_arg(type, slot) ({ \
	union { \
		unsigned char u8; \
		unsigned short u16; \
		unsigned int u32; \
		unsigned long long u64[2]; \
		type val; \
	} ___arg; \
	\
	switch (sizeof(type)) { \
	case 1: ___arg.u8 = ctx[slot]; break; \
	case 2: ___arg.u16 = ctx[slot]; break; \
	case 4: ___arg.u32 = ctx[slot]; break; \
	default: \
		___arg.u64[0] = ctx[slot]; \
		if (___bpf_slots(type) == 2) \
			___arg.u64[1] = ctx[(slot) + 1]; \
	} \
	___arg.val; \
})

#define ___bpf_pairs0(n)
#define ___bpf_pairs1(n, t, x)		, ___bpf_slot_arg(t, n)
#define ___bpf_pairs2(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs1((n) + ___bpf_slots(t), args)
#define ___bpf_pairs3(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs2((n) + ___bpf_slots(t), args)
#define ___bpf_pairs4(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs3((n) + ___bpf_slots(t), args)
#define ___bpf_pairs5(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs4((n) + ___bpf_slots(t), args)
#define ___bpf_pairs6(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs5((n) + ___bpf_slots(t), args)
#define ___bpf_pairs7(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs6((n) + ___bpf_slots(t), args)
#define ___bpf_pairs8(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs7((n) + ___bpf_slots(t), args)
#define ___bpf_pairs9(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs8((n) + ___bpf_slots(t), args)
#define ___bpf_pairs10(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs9((n) + ___bpf_slots(t), args)
#define ___bpf_pairs11(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs10((n) + ___bpf_slots(t), args)
#define ___bpf_pairs12(n, t, x, args...) \
	, ___bpf_slot_arg(t, n) ___bpf_pairs11((n) + ___bpf_slots(t), args)
#define ___bpf_pairs(args...) \
	___bpf_apply(___bpf_pairs, ___bpf_npairs(args))(0, ##args)

#define ___bpf_decls0()
#define ___bpf_decls1(t, x)		, t x
#define ___bpf_decls2(t, x, args...)	, t x ___bpf_decls1(args)
#define ___bpf_decls3(t, x, args...)	, t x ___bpf_decls2(args)
#define ___bpf_decls4(t, x, args...)	, t x ___bpf_decls3(args)
#define ___bpf_decls5(t, x, args...)	, t x ___bpf_decls4(args)
#define ___bpf_decls6(t, x, args...)	, t x ___bpf_decls5(args)
#define ___bpf_decls7(t, x, args...)	, t x ___bpf_decls6(args)
#define ___bpf_decls8(t, x, args...)	, t x ___bpf_decls7(args)
#define ___bpf_decls9(t, x, args...)	, t x ___bpf_decls8(args)
#define ___bpf_decls10(t, x, args...)	, t x ___bpf_decls9(args)
#define ___bpf_decls11(t, x, args...)	, t x ___bpf_decls10(args)
#define ___bpf_decls12(t, x, args...)	, t x ___bpf_decls11(args)
#define ___bpf_decls(args...)		___bpf_apply(___bpf_decls, ___bpf_npairs(args))(args)

#define BPF_PROG2(name, args...) \
	name(unsigned long long *ctx); \
	static __always_inline typeof(name(0)) \
	____##name(unsigned long long *ctx ___bpf_decls(args)); \
	typeof(name(0)) name(unsigned long long *ctx) \
	{ \
		return ____##name(ctx ___bpf_pairs(args)); \
	} \
	static __always_inline typeof(name(0)) \
	____##name(unsigned long long *ctx ___bpf_decls(args))

#endif
