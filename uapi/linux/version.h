/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kernel version that these headers describe. Linux ignores a program's version since 5.0. */
#ifndef _LINUX_VERSION_H
#define _LINUX_VERSION_H

#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))

#define LINUX_VERSION_MAJOR		6
#define LINUX_VERSION_PATCHLEVEL	18
#define LINUX_VERSION_SUBLEVEL		0
#define LINUX_VERSION_CODE		0x061200

#endif
