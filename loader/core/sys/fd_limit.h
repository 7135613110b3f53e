/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The limit on open files (RLIMIT_NOFILE): raise it, and explain when it is reached. */
#ifndef PLOAD_CORE_SYS_FD_LIMIT_H
#define PLOAD_CORE_SYS_FD_LIMIT_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/* The limit before and after raising it. All zero: never raised. */
struct fd_limit {
	uint64_t from, to;	/* soft limits: original, and last seen */
	uint64_t hard;		/* hard limit, last seen */
	unsigned int nr_raised;
};

/**
 * fd_limit_raise() - After EMFILE, raise the soft limit to the hard limit, or if it is already
 * there, raise both by @more descriptors, which needs CAP_SYS_RESOURCE. A child gets the original
 * limit.
 *
 * Return: true if more descriptors are available now.
 */
bool fd_limit_raise(struct sys *sys, struct fd_limit *limit, uint64_t more);

/**
 * fd_limit_failed() - Complete an error whose message is set and whose cause is @code: EMFILE (this
 * process's limit) or ENFILE (the machine's). Sets the hint and, unless NULL, @reason.
 * @code: positive errno.
 * @needed: the limit that would suffice, for the hint; 0 if unknown.
 *
 * Return: false for any other errno, which leaves @err unchanged.
 */
bool fd_limit_failed(struct sys *sys, int code, const char *reason, uint64_t needed,
		     struct error *err);

/**
 * own_limit_failed() - Like fd_limit_failed(), but also for ENOMEM: if reading a file fails with
 * one of these, the file is not to blame. @reason: the code for running out of descriptors.
 */
bool own_limit_failed(struct sys *sys, int code, const char *reason, struct error *err);

#endif
