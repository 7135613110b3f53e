/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The flags of pidfd_open(2). */
#ifndef _LINUX_PIDFD_H
#define _LINUX_PIDFD_H

#include <fcntl.h>

/* The pidfd refers to one thread instead of its process (Linux 6.9). */
#define PIDFD_THREAD O_EXCL

#endif
