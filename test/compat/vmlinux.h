/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The few types of a vmlinux.h that vmlinux_style.bpf.c uses, as bpftool prints one. */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef short __s16;
typedef int __s32;
typedef long long __s64;
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef int pid_t;
typedef _Bool bool;

enum {
	false = 0,
	true = 1,
};

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_RINGBUF = 27,
};

struct file;

struct mm_struct {
	struct file *exe_file;
};

struct task_struct {
	unsigned int in_execve: 1;
	unsigned int in_iowait: 1;
	struct mm_struct *mm;
	pid_t pid;
	struct task_struct *real_parent;
	char comm[16];
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#if defined(__TARGET_ARCH_arm64)
struct user_pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 pstate;
};

struct pt_regs {
	struct user_pt_regs user_regs;
	u64 orig_x0;
};
#elif defined(__TARGET_ARCH_s390)
typedef struct {
	unsigned long mask;
	unsigned long addr;
} psw_t;

typedef struct {
	unsigned long args[1];
	psw_t psw;
	unsigned long gprs[16];
} user_pt_regs;

struct pt_regs {
	user_pt_regs user_regs;
	unsigned long orig_gpr2;
};
#else
struct pt_regs {
	unsigned long r15;
	unsigned long r14;
	unsigned long r13;
	unsigned long r12;
	unsigned long bp;
	unsigned long bx;
	unsigned long r11;
	unsigned long r10;
	unsigned long r9;
	unsigned long r8;
	unsigned long ax;
	unsigned long cx;
	unsigned long dx;
	unsigned long si;
	unsigned long di;
	unsigned long orig_ax;
	unsigned long ip;
	unsigned long cs;
	unsigned long flags;
	unsigned long sp;
	unsigned long ss;
};
#endif

#pragma clang attribute pop

#endif
