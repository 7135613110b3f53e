/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A struct sys at whose n-th call something happens: the call fails, or the process gets SIGKILL.
 * It also records the ids of objects created through it, so that a test can check that all of them
 * are gone, even if others load programs on this machine.
 */
#ifndef PLOAD_REGRESS_SEAM_H
#define PLOAD_REGRESS_SEAM_H

#include "test/regress/common/stress.h"

#define LEDGER_MAX 1024

/* The ledger is in memory shared with the process that checks it. */
struct ledger {
	unsigned int nr;
	struct {
		int get_fd_by_id;	/* BPF_PROG_GET_FD_BY_ID ... */
		uint32_t id;
		unsigned int at;	/* the call at which the creator was to be killed */
	} list[LEDGER_MAX];
};

struct seam {
	struct sys sys;		/* for the session; must be first */
	struct sys *next;	/* borrowed */
	struct ledger *ledger;	/* borrowed; NULL: nobody is interested */
	unsigned int calls;	/* so far */
	unsigned int at;	/* the number of the call; 0: none */
	int fails;		/* fail with this positive errno; 0: kill the process */
	long failed_nr;		/* the system call that was made to fail; -1: none */
};

/* seam_init() - over @next. */
void seam_init(struct seam *seam, struct sys *next, struct ledger *ledger, unsigned int at,
	       int fails);

/* ledger_new() - a ledger that is shared with later children; it is never freed. */
struct ledger *ledger_new(struct regress *t);

/*
 * ledger_gone() - wait, for a limited time, until the kernel has none of the ledger's objects, or
 * fail the test. Empties the ledger.
 */
void ledger_gone(struct regress *t, struct ledger *ledger);

#endif
