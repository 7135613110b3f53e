/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Two things every filler of a union bpf_attr needs. */
#ifndef PLOAD_KERNEL_ATTR_H
#define PLOAD_KERNEL_ATTR_H

#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

/*
 * The size to pass: through the last field used. A larger one is fine for a kernel which does not
 * know the rest as long as that is zero, and E2BIG if it is not (kernel/bpf/syscall.c,
 * bpf_check_uarg_tail_zero()).
 */
#define ATTR_SIZE(field) (offsetof(union bpf_attr, field) + sizeof(((union bpf_attr *)0)->field))

/* Pointers travel as 64-bit numbers, so that the ABI is the same for 32-bit callers. */
static inline uint64_t attr_pointer(const void *p)
{
	return (uintptr_t)p;
}

#endif
