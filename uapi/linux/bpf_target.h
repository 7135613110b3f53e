/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The machine a BPF program is compiled for: bpf_target_x86, bpf_target_arm64, bpf_target_s390. */
#ifndef __LINUX_BPF_TARGET_H__
#define __LINUX_BPF_TARGET_H__

/*
 * `clang -target bpf` does not know it, so -D__TARGET_ARCH_* says it. Without, take the machine
 * that compiles: a compiler for that machine says so itself, and a compiler for BPF can at least
 * see which multiarch directories Debian and Ubuntu keep there. None: no bpf_target_defined, and
 * what depends on the machine is an error where it is used.
 */
#if defined(__TARGET_ARCH_x86)
#define bpf_target_x86
#elif defined(__TARGET_ARCH_arm64)
#define bpf_target_arm64
#elif defined(__TARGET_ARCH_s390)
#define bpf_target_s390
#elif defined(__x86_64__)
#define bpf_target_x86
#elif defined(__aarch64__)
#define bpf_target_arm64
#elif defined(__s390x__)
#define bpf_target_s390
#elif defined(__bpf__) && __has_include("/usr/include/x86_64-linux-gnu/asm/ptrace.h")
#define bpf_target_x86
#elif defined(__bpf__) && __has_include("/usr/include/aarch64-linux-gnu/asm/ptrace.h")
#define bpf_target_arm64
#elif defined(__bpf__) && __has_include("/usr/include/s390x-linux-gnu/asm/ptrace.h")
#define bpf_target_s390
#endif

#if defined(bpf_target_x86) || defined(bpf_target_arm64) || defined(bpf_target_s390)
#define bpf_target_defined
#endif

#endif
