// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why a call of another process was refused. */
#include "loader/observe/watch/watch_internal.h"

void watch_cause(pid_t pid, const struct copy *copy, struct fact_refusal *r)
{
	(void)pid;
	(void)copy;
	(void)r;
}
