/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tests of a run: their selection, their order, and their results. */
#ifndef PLOAD_REGRESS_SUITE_H
#define PLOAD_REGRESS_SUITE_H

#include "test/regress/harness/settings.h"
#include "test/regress/harness/parts.h"

/* A test that was asked for, over all rounds. */
struct suite_test {
	const struct regress_group *group;
	const struct regress_test *test;
	const char *id;		/* "" when it has none; borrowed */
	bool exclusive;		/* it needs the kernel's lock */
	const char *may_differ;	/* why; NULL: it is a must. Static */
	void *const *room;	/* of its group's tests together; borrowed */
	unsigned int passed, failed, skipped, differed;	/* in this many rounds; 0 each: it was not run */
	char *why;		/* owned; of the first failure, or else of the last skip; or NULL */
	char *message;		/* owned; the other output of the first failure; or NULL */
	char *saw;		/* owned; lines "KEY\tVALUE" of the last round; or NULL */
};

struct suite {
	struct regress_list *lists;	/* owned; one for each group */
	void **rooms;			/* owned; the memory that a group's tests share, or NULL */
	struct suite_test *tests;	/* owned */
	struct suite_test **steps;	/* owned; every test of every round, in their order */
	unsigned int nr_groups, nr, nr_steps;
};

struct suite_totals {
	unsigned int passed, failed, skipped, differed;
};

/*
 * suite_init() - select the tests that are asked for. false: there are none, which standard error
 * reports. suite_free() in any case.
 */
bool suite_init(struct suite *suite, struct settings *o);
void suite_free(struct suite *suite);

/* suite_block() - the number of steps from @at on that belong to one group and one round. */
unsigned int suite_block(const struct suite *suite, unsigned int at);

/* suite_nr_blocks() - the number of these blocks. */
unsigned int suite_nr_blocks(const struct suite *suite);

/* suite_round() - to be called before each round: zeroes the memory that tests share. */
void suite_round(struct suite *suite);

/* suite_note() - record the result of one round of @test; @message may be NULL. */
void suite_note(struct suite_test *test, const struct regress_shared *shared, const char *message);

/*
 * suite_state() - of all rounds: failed or else different if it was once, skipped if it never ran to its end.
 */
enum regress_state suite_state(const struct suite_test *test);

/* suite_state_name() - "passed", "failed", "skipped", "differs". */
const char *suite_state_name(enum regress_state state);

/* suite_chance() - the next pseudo-random number after @seed, which is advanced. */
uint64_t suite_chance(uint64_t *seed);

#endif
