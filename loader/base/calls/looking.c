// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A time limit for polling a condition. */
#include "loader/base/calls/looking.h"

#define PAUSE_MAX_NS 250000000

struct sys_looking sys_looking(uint64_t ns)
{
	return (struct sys_looking){ .left_ns = ns, .seen_ns = sys_monotonic_ns() };
}

bool sys_look_again(struct sys_looking *looking)
{
	const uint64_t now = sys_monotonic_ns(), passed = now - looking->seen_ns,
		       counts = passed < PAUSE_MAX_NS ? passed : PAUSE_MAX_NS;

	looking->seen_ns = now;
	looking->left_ns -= counts < looking->left_ns ? counts : looking->left_ns;
	return looking->left_ns;
}
