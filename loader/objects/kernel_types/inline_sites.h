/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Into which functions the kernel's compiler has inlined another one. */
#ifndef PLOAD_OBJECTS_KERNEL_TYPES_INLINE_SITES_H
#define PLOAD_OBJECTS_KERNEL_TYPES_INLINE_SITES_H

#include <stdbool.h>

#include "loader/base/text/kallsyms.h"

#define INLINE_SITES_TEXT 256
#define INLINE_SITES_HINT "it is inlined into %s; probe its callers"

/**
 * inline_sites_text() - Write the functions of vmlinux into which @function was inlined, such as
 * "tcp_ack, tcp_push and 3 more".
 * @k: symbols of the running kernel, read on demand
 *
 * Return: false if there are none, or if the kernel does not have this information.
 */
bool inline_sites_text(struct sys *sys, struct kernel_symbols *k, const char *function,
		       char text[INLINE_SITES_TEXT]);

#endif
