/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A time limit for polling a condition. */
#ifndef PLOAD_BASE_CALLS_LOOKING_H
#define PLOAD_BASE_CALLS_LOOKING_H

#include "loader/core/sys/sys.h"

/*
 * A time limit for polling a condition. At most a quarter of a second counts between two tests,
 * because the host may have paused this virtual machine for longer.
 */
struct sys_looking {
	uint64_t left_ns, seen_ns;	/* CLOCK_MONOTONIC */
};

/**
 * sys_looking() - Start a time limit of @ns.
 * sys_look_again() - After a failed test, return true if there is time for another.
 */
struct sys_looking sys_looking(uint64_t ns);
bool sys_look_again(struct sys_looking *looking);

#endif
