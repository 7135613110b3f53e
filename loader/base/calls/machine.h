/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* This machine: the release of its kernel, and the flags of its CPUs. */
#ifndef PLOAD_BASE_CALLS_MACHINE_H
#define PLOAD_BASE_CALLS_MACHINE_H

#include "loader/core/sys/sys.h"

/**
 * sys_is_before() - Return true if the kernel's release is older; false also if it is not known.
 * Only for messages after a failure, as distributions backport features.
 */
bool sys_is_before(struct sys *sys, unsigned int major, unsigned int minor);

/**
 * cpu_flags_read() - Read the flags of the first CPU, which are those of all, from /proc/cpuinfo.
 * @text: for the first lines of that file; the flags are in its first 8 KB
 *
 * Return: the flags, " cx8 cx16 ...", in @text; NULL: there are none, as on others than x86.
 */
#define CPU_FLAGS_SIZE 8192
const char *cpu_flags_read(struct sys *sys, char text[CPU_FLAGS_SIZE]);

#endif
