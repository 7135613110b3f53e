/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Define bpf_target_x86, _arm64 or _s390 for the machine on which a BPF program will run. */
#ifndef __LINUX_BPF_TARGET_H__
#define __LINUX_BPF_TARGET_H__

/*
 * `clang -target bpf` does not know that machine, so -D__TARGET_ARCH_* sets it. The default is the
 * machine that compiles. A compiler for that machine predefines its name; a compiler for BPF can
 * only check for the multiarch directories of Debian and Ubuntu. If the machine remains unknown,
 * bpf_target_defined is not defined, and using a macro that depends on the machine is an error.
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
