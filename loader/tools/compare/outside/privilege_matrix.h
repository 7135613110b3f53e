/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files about privilege share: who tries, and becoming that one. */
#ifndef PLOAD_TOOLS_COMPARE_OUTSIDE_PRIVILEGE_MATRIX_H
#define PLOAD_TOOLS_COMPARE_OUTSIDE_PRIVILEGE_MATRIX_H

#include "loader/tools/compare/lifetime/lifetime.h"
#include "loader/sys/names.h"

/* Who tries. Static. */
struct subject {
	const char *id, *name, *what;
	uint64_t caps;		/* bit n for CAP_* n: effective and permitted */
	bool namespaced;	/* and then root in a user namespace of its own */
};

/* What it tries, in this order. */
enum {
	STEP_BECOME = -1,
	STEP_FIND, STEP_LOAD, STEP_OPEN, STEP_BIND, STEP_ENABLE, STEP_MMAP, STEP_RUNS,
	STEP_NR,
};

/* The process that tries. */
struct role_of {
	struct stage *st;
	const struct subject *subject;
	const struct attachment *spare;	/* an event that somebody else has opened */
	struct trial_prog prog;
	struct attachment a;
	bool loaned_prog;		/* it had to take that of who made it */
};

/*
 * privilege_become() - let this process, which was made for it, be @subject for good. 0 or -errno:
 * "compare/cannot-become".
 */
int privilege_become(struct sys *sys, const struct subject *subject, struct error *err);

#endif
