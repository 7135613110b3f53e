/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A lock for the whole kernel: things that exist only once per kernel are used by one suite at a
 * time.
 */
#ifndef PLOAD_REGRESS_KERNEL_LOCK_H
#define PLOAD_REGRESS_KERNEL_LOCK_H

#include <stdbool.h>

/*
 * kernel_lock_take() - take the lock; wait until its holder releases it, or until @stop returns
 * true. Returns a descriptor to give to kernel_lock_release(), or -1 without the lock: the wait was
 * stopped, or this process may not open tracefs.
 */
int kernel_lock_take(bool (*stop)(void *arg), void *arg);
void kernel_lock_release(int fd);

#endif
