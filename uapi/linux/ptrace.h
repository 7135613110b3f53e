/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The registers in the context of a BPF program, and the short type names that samples/bpf uses. */
#ifndef _LINUX_PTRACE_H
#define _LINUX_PTRACE_H

#include <linux/types.h>
#include <linux/bpf_target.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

#ifndef TASK_COMM_LEN
#define TASK_COMM_LEN	16
#endif
#ifndef __packed
#define __packed	__attribute__((packed))
#endif
#ifndef min
#define min(a, b)	({ __auto_type ___a = (a); typeof(b) ___b = (b); ___a < ___b ? ___a : ___b; })
#define max(a, b)	({ __auto_type ___a = (a); typeof(b) ___b = (b); ___a > ___b ? ___a : ___b; })
#endif

#if defined(bpf_target_x86)

/* Registers have two names: that of the kernel's struct, and that of the user space header. */
struct pt_regs {
	unsigned long r15;
	unsigned long r14;
	unsigned long r13;
	unsigned long r12;
	union { unsigned long bp, rbp; };
	union { unsigned long bx, rbx; };
	unsigned long r11;
	unsigned long r10;
	unsigned long r9;
	unsigned long r8;
	union { unsigned long ax, rax; };
	union { unsigned long cx, rcx; };
	union { unsigned long dx, rdx; };
	union { unsigned long si, rsi; };
	union { unsigned long di, rdi; };
	union { unsigned long orig_ax, orig_rax; };
	union { unsigned long ip, rip; };
	unsigned long cs;
	union { unsigned long flags, eflags; };
	union { unsigned long sp, rsp; };
	unsigned long ss;
};

typedef struct pt_regs bpf_user_pt_regs_t;

#elif defined(bpf_target_arm64)

struct user_pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
};

/* Only the beginning of the kernel's struct, because the rest differs between versions. */
struct pt_regs {
	union {
		struct user_pt_regs user_regs;
		struct {
			__u64 regs[31];
			__u64 sp;
			__u64 pc;
			__u64 pstate;
		};
	};
	__u64 orig_x0;
};

typedef struct user_pt_regs bpf_user_pt_regs_t;

#elif defined(bpf_target_s390)

typedef struct {
	unsigned long mask;
	unsigned long addr;
} __attribute__((aligned(8))) psw_t;

typedef struct {
	unsigned long args[1];
	psw_t psw;
	unsigned long gprs[16];
} user_pt_regs;

/* Only the beginning of the kernel's struct, because the rest differs between versions. */
struct pt_regs {
	union {
		user_pt_regs user_regs;
		struct {
			unsigned long args[1];
			psw_t psw;
			unsigned long gprs[16];
		};
	};
	unsigned long orig_gpr2;
};

typedef user_pt_regs bpf_user_pt_regs_t;

#endif

#endif
