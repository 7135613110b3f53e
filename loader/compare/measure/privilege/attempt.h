/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One attempt to attach a cell, step by step, by a process with few privileges. */
#ifndef PLOAD_COMPARE_MEASURE_PRIVILEGE_ATTEMPT_H
#define PLOAD_COMPARE_MEASURE_PRIVILEGE_ATTEMPT_H

#include "loader/compare/measure/privilege/privilege.h"
#include "loader/compare/measure/sections/fixture.h"
#include "loader/compare/measure/sections/section.h"

/* The steps of attaching, in this order. */
enum {
	STEP_BECOME = -1,
	STEP_FIND, STEP_LOAD, STEP_OPEN, STEP_BIND, STEP_ENABLE, STEP_MMAP, STEP_RUNS,
	STEP_NR,
};

extern const char *const attempt_steps[STEP_NR];	/* "find", "load", ... */

/* The process of one identity. */
struct attempt {
	struct fixture *fx;
	const struct identity *identity;
	const struct attachment *spare;	/* an event opened by the privileged process */
	struct firing_prog prog;
	struct attachment a;
	bool loaned_prog;		/* it could not load a program, and bound the fixture's */
};

/**
 * attempt_step() - Take one step; each depends on the previous ones.
 *
 * Without a program or event of its own, bind with that of the fixture or of @r->spare.
 * Return: 0 or -errno.
 */
int attempt_step(struct attempt *r, int step, struct error *err);

/**
 * attempt_failure() - Format the refused step with its errno, such as "load EPERM", into @buf.
 * attempt_put_failure() - Answer @row with it.
 */
void attempt_failure(int step, const struct error *err, char *buf, size_t size);
void attempt_put_failure(struct section *s, unsigned int row, int step, const struct error *err);

#endif
