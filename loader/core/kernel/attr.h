/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For functions that fill in a union bpf_attr. */
#ifndef PLOAD_CORE_KERNEL_ATTR_H
#define PLOAD_CORE_KERNEL_ATTR_H

#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

/*
 * The size to pass: through the last field used. A kernel that does not know the rest accepts it if
 * it is zero; otherwise it returns E2BIG (bpf_check_uarg_tail_zero() in kernel/bpf/syscall.c).
 */
#define ATTR_SIZE(field) (offsetof(union bpf_attr, field) + sizeof(((union bpf_attr *)0)->field))

/* Pointers are passed as 64-bit numbers, so the ABI is the same for 32-bit callers. */
static inline uint64_t attr_pointer(const void *p)
{
	return (uintptr_t)p;
}

#endif
