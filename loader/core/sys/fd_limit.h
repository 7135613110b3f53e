/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The limit of open files (RLIMIT_NOFILE): raise it, and report that it was reached. */
#ifndef PLOAD_CORE_SYS_FD_LIMIT_H
#define PLOAD_CORE_SYS_FD_LIMIT_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/* The limit before and after it was raised. Zeroed: it has not been raised. */
struct fd_limit {
	uint64_t from, to;	/* soft limits: at first, and as last seen */
	uint64_t hard;		/* the hard limit, as last seen */
	unsigned int nr_raised;
};

/**
 * fd_limit_raise() - After EMFILE, raise the soft limit to the hard limit; if they are equal
 * already, raise both by @more descriptors, which takes CAP_SYS_RESOURCE. A child keeps its own
 * limit.
 *
 * Return: true if there is room for more descriptors now.
 */
bool fd_limit_raise(struct sys *sys, struct fd_limit *limit, uint64_t more);

/**
 * fd_limit_failed() - Complete an error that reports @code: EMFILE (of this process) or ENFILE (of
 * the machine). Sets @reason, unless it is NULL, and the hint. The message is already set.
 * @code: positive errno.
 * @needed: the limit that would suffice, for the hint; 0 if that is not known.
 *
 * Return: false if @code is another errno; @err is unchanged then.
 */
bool fd_limit_failed(struct sys *sys, int code, const char *reason, uint64_t needed,
		     struct error *err);

/**
 * own_limit_failed() - The same, and for ENOMEM as well: if reading a file fails with one of these,
 * the file is not to blame. @reason: the code for lack of descriptors.
 */
bool own_limit_failed(struct sys *sys, int code, const char *reason, struct error *err);

#endif
