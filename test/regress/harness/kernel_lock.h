/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A lock of the whole kernel: only one suite at a time uses what a kernel has only once. */
#ifndef PLOAD_REGRESS_KERNEL_LOCK_H
#define PLOAD_REGRESS_KERNEL_LOCK_H

#include <stdbool.h>

/*
 * kernel_lock_take() - take the lock, or wait until whoever has it releases it, or until @stop
 * returns true. Returns a descriptor to give to kernel_lock_release(), or -1 without the lock: it
 * was stopped, or this process may not open tracefs.
 */
int kernel_lock_take(bool (*stop)(void *arg), void *arg);
void kernel_lock_release(int fd);

#endif
