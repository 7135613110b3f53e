/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Steps of loading on an older kernel. */
#ifndef PLOAD_KERNEL_COMPAT_COMPAT_H
#define PLOAD_KERNEL_COMPAT_COMPAT_H

#include "loader/kernel/kernel_internal.h"

/**
 * kernel_drop_btf() - Remove func_info and line_info (Linux 5.0) from @attr. Return true if it had
 * some.
 */
bool kernel_drop_btf(union bpf_attr *attr);

/**
 * kernel_load_untagged_btf() - Load BTF in which functions with tagged arguments (Linux 6.8) are
 * static: k->untagged_btf_fd. Return false if there are none, or the kernel refuses it.
 */
bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k);

#endif
