/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The integer types of the kernel ABI headers, for user space and for BPF programs. */
#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef signed short __s16;
typedef unsigned short __u16;
typedef signed int __s32;
typedef unsigned int __u32;
__extension__ typedef signed long long __s64;
__extension__ typedef unsigned long long __u64;

/*
 * The system's headers follow these on the include path, so they include this file, too, as
 * <linux/types.h>. They expect it to define __kernel_long_t and similar types. A BPF program has no
 * system headers.
 */
#if !defined(__bpf__) && defined(__has_include)
#if __has_include(<linux/posix_types.h>)
#include <linux/posix_types.h>
#endif
/* On s390, <asm/sigcontext.h> also expects the type of a vector register. */
#if defined(__s390x__) && __has_include(<asm/types.h>)
#include <asm/types.h>
#endif
#endif

#ifdef __CHECKER__
#define __bitwise	__attribute__((bitwise))
#else
#define __bitwise
#endif
#define __bitwise__	__bitwise

typedef __u16 __bitwise __le16;
typedef __u16 __bitwise __be16;
typedef __u32 __bitwise __le32;
typedef __u32 __bitwise __be32;
typedef __u64 __bitwise __le64;
typedef __u64 __bitwise __be64;

typedef __u16 __bitwise __sum16;
typedef __u32 __bitwise __wsum;

typedef unsigned int __bitwise __poll_t;

#define __aligned_u64	__u64 __attribute__((aligned(8)))
#define __aligned_s64	__s64 __attribute__((aligned(8)))
#define __aligned_be64	__be64 __attribute__((aligned(8)))
#define __aligned_le64	__le64 __attribute__((aligned(8)))

#endif
