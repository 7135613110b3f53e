/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A section of `pload compare` as tests: the first test of each kind of event measures it, and each
 * test compares one row with the answers that are known of kernels.
 */
#ifndef PLOAD_REGRESS_SECTIONS_H
#define PLOAD_REGRESS_SECTIONS_H

#include "test/regress/common/kinds.h"

/* The answers of kernels in one row, for some kinds and cells. The first rule that fits applies. */
struct section_rule {
	const char *row;	/* its id; NULL ends the table */
	unsigned int kinds, cells;	/* KIND_*, CELL_* */
	struct regress_since rows[4];	/* those that have an answer; the first is of 0 */
};

typedef int section_measure(const struct compare_subject *s, struct json_object *event,
			    struct error *err);

/* The first test of a kind measures for all of them, and waits for many grace periods. */
#define SECTION_SECONDS 240

#define SECTION_KINDS 12
#define SECTION_ROWS_MAX 48

struct section_table {
	section_measure *measure;	/* compare_lifetime() ... */
	const struct kind *kinds;	/* at most SECTION_KINDS */
	unsigned int nr_kinds;
	const struct section_rule *rules;
	/* Sets up the machine for the measurement; may skip the test. May be NULL. */
	void (*before)(struct regress *t);
	void (*after)(void);
};

/*
 * An answer in the memory that the tests of a group share: regress_share(list, sizeof(struct
 * section_room)).
 */
struct section_answer {
	char word[24];
	char why[200];		/* the detail, or the error; may be empty */
	char reason[32];	/* of the error; may be empty */
};

struct section_room {
	struct section_measured {
		enum { SECTION_UNTRIED, SECTION_BEGUN, SECTION_DONE } state;
		char outcomes[COMPARE_NR_CELLS][16], why[COMPARE_NR_CELLS][1100];
		bool lacks[COMPARE_NR_CELLS];	/* it is the machine that does not have it so */
		struct section_measured_row {
			char id[24];
			struct section_answer cells[COMPARE_NR_CELLS];
		} rows[SECTION_ROWS_MAX];
	} kinds[SECTION_KINDS];
};

/*
 * sections_measured() - the measurement of kind @kind, which is made now if no test has. Ends the
 * test if that fails.
 */
const struct section_measured *sections_measured(struct regress *t,
						 const struct section_table *table,
						 unsigned int kind);

/* sections_word() - the answer of cell 0 to 3 in row @id; "" if there is none. */
const char *sections_word(const struct section_measured *m, const char *id, unsigned int cell);

/*
 * sections_assert() - check row @id of kind @kind against the rules, in each cell that fires.
 * @prefix is put before the cell's name in keys ("open pmu+link"); "": nothing. Returns the number
 * of cells that were checked; if it is 0, @why has the reason.
 */
unsigned int sections_assert(struct regress *t, const struct section_table *table,
			     unsigned int kind, const char *id, const char *prefix,
			     const char **why);

/* One row, as a test of each kind of event. */
struct section_fact {
	const char *row, *what;
	regress_run *run;	/* NULL: sections_expect() */
};

/* The data of a test: one row of one kind. */
struct section_case {
	const struct section_table *table;
	const struct section_fact *fact;
	unsigned int kind;
};

/* sections_expect() - check t->data; the test is skipped where no cell could be looked at. */
void sections_expect(struct regress *t);

/* sections_fill() - append a test for each of @nr facts and each kind; @cases has room for all. */
void sections_fill(struct regress_list *list, const struct section_table *table,
		   const struct section_fact *facts, unsigned int nr, struct section_case *cases);

#endif
