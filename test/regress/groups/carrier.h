/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs of every type that can be made to run here, once, for a helper that they all call. */
#ifndef PLOAD_REGRESS_CARRIER_RUN_H
#define PLOAD_REGRESS_CARRIER_RUN_H

#include "test/regress/groups/helper_run.h"

/* How a program of one type is made to run: by_NAME of an object with bpf/carrier.h. */
struct carrier {
	const char *name;
	const char *event;	/* it is bound to; "%u": where trial_function() is; NULL: none */
	void (*work)(void);	/* that makes it happen; NULL: BPF_PROG_TEST_RUN ... */
	uint32_t packet;	/* ... over so many bytes; 0: over none */
	uint32_t ctx;		/* ... or with so many bytes of context */
	bool is_fault;		/* it is about a page fault, and helper_fire() makes one */
	bool is_linked;		/* test runs call the function that it is attached to */
};

extern const struct carrier carriers[];
extern const unsigned int nr_carriers;

struct carried {
	struct helper_run h;	/* h.io is what the program is told and says */
	const struct carrier *carrier;
	uint32_t prog;		/* its number in the object */
	int here, there;	/* the CPU it runs on, and another; -1: there is none */
};

/*
 * carry_begin() - load by_NAME of @object and bind it; from here on this thread is on one CPU. Ends
 * the test where there is no such program or helper on this machine. carry_end() gives all back.
 */
void carry_begin(struct regress *t, struct carried *c, const char *object,
		 const struct carrier *carrier);
void carry_end(struct regress *t, struct carried *c);

/* carry_fire() - have it run once. It fails if it did not. */
void carry_fire(struct regress *t, struct carried *c);

/* carry_packet() - the packet it is run over. Static; 64 bytes. */
const unsigned char *carry_packet(void);

#endif
