/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* This machine: its kernel release and its CPU flags. */
#ifndef PLOAD_BASE_CALLS_MACHINE_H
#define PLOAD_BASE_CALLS_MACHINE_H

#include "loader/core/sys/sys.h"

/**
 * sys_is_before() - Return true if the kernel release is older; false if it is not or is unknown.
 * Only for messages after a failure, because distributions backport features.
 */
bool sys_is_before(struct sys *sys, unsigned int major, unsigned int minor);

/**
 * cpu_flags_read() - Read the CPU flags, which all CPUs share, from /proc/cpuinfo.
 * @text: buffer for the start of that file; the flags are in the first 8 KB
 *
 * Return: the flags, " cx8 cx16 ...", in @text; NULL: none, as on machines other than x86.
 */
#define CPU_FLAGS_SIZE 8192
const char *cpu_flags_read(struct sys *sys, char text[CPU_FLAGS_SIZE]);

#endif
