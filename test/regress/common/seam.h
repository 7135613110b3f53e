/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A seam at whose n-th call something happens: the call fails, or the process gets SIGKILL. It also
 * records the ids of the objects that are created through it, so that a test can check that all are
 * gone, whoever else loads programs on this machine.
 */
#ifndef PLOAD_REGRESS_SEAM_H
#define PLOAD_REGRESS_SEAM_H

#include "test/regress/common/stress.h"

#define LEDGER_MAX 1024

/* The ledger is in memory that is shared with the process that checks it. */
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
	struct ledger *ledger;	/* borrowed; NULL: nobody wants to know */
	unsigned int calls;	/* so far */
	unsigned int at;	/* at which call; 0: at none */
	int fails;		/* with this positive errno; 0: the process is killed */
	long failed_nr;		/* which system call has failed so; -1: none */
};

/* seam_init() - over @next. */
void seam_init(struct seam *seam, struct sys *next, struct ledger *ledger, unsigned int at,
	       int fails);

/* ledger_new() - a ledger that is shared with later children; it is never freed. */
struct ledger *ledger_new(struct regress *t);

/*
 * ledger_gone() - wait a bounded time until none of the ledger's objects is in the kernel, or fail
 * the test. It is empty then.
 */
void ledger_gone(struct regress *t, struct ledger *ledger);

#endif
