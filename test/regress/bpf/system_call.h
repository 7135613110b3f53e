/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The names of the kernel's functions for system calls: SYSTEM_CALL "getppid". */
#ifndef PLOAD_REGRESS_SYSTEM_CALL_H
#define PLOAD_REGRESS_SYSTEM_CALL_H

#if defined(__TARGET_ARCH_arm64)
#define SYSTEM_CALL "__arm64_sys_"
#elif defined(__TARGET_ARCH_s390)
#define SYSTEM_CALL "__s390x_sys_"
#else
#define SYSTEM_CALL "__x64_sys_"
#endif

#endif
