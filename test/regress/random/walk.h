/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random lives: chooses steps, makes each in the kernel and in the model, and compares the answers. */
#ifndef PLOAD_RANDOM_WALK_H
#define PLOAD_RANDOM_WALK_H

#include "test/regress/random/actors.h"
#include "test/regress/random/model.h"

enum { LAST_STEPS = NR_PROCS * (NR_TYPES + NR_FDS) };

/* A sequence of steps. */
struct life {
	struct op ops[STEPS_MAX + LAST_STEPS];
	unsigned int nr;
};

/* The first difference between the kernel and the model. */
struct difference {
	bool is;
	unsigned int step;	/* the index of the last step */
	char text[256];
};

/* The supervising process sees this, even if the walking one does not return from a call. */
struct progress {
	struct life life;
	uint64_t lives, steps;
	unsigned int at;	/* the step that is being made */
	unsigned int limit;	/* steps of this life */
	bool verbose;
	bool quiet;		/* steps are repeated to shorten a life: do not print them */
};

struct walk {
	struct world world;
	unsigned int kernel;
	struct progress *progress;
	uint64_t random;	/* the state of the generator */
	unsigned int begins;	/* how this life begins: beginning() of choose.c */
	/* How often one step followed another: rare pairs are preferred. */
	uint32_t pairs[NR_OPS][NR_OPS];
};

/* walk_life() - choose and make the steps of a new life, in w->progress->life. */
void walk_life(struct walk *w, struct difference *d);

/* walk_again() - make these steps. The reports and the answers are printed if @print. */
void walk_again(struct walk *w, const struct life *life, struct difference *d);

/* walk_choose() - a step that suits the state; choose.c. */
void walk_choose(struct walk *w, const struct model *m, struct op *op);
uint32_t walk_random(struct walk *w, uint32_t below);

/* --- reports: report.c --- */

/* report_op() - a step in words. report_fact(): a fact. Return @text. */
const char *report_op(const struct op *op, char *text, size_t size);
const char *report_fact(const struct fact *fact, char *text, size_t size);

/* report_shows() - whether the life shows a difference each time. @d: the last. */
bool report_shows(struct walk *w, const struct life *life, struct difference *d);

/*
 * report_shorten() - take steps away from @life for as long as a difference remains. @d: that of the
 * shortest. false: the difference does not occur again.
 */
bool report_shorten(struct walk *w, struct life *life, struct difference *d);

/*
 * report_life() - print the life in words, as a row of the group lives, and, to the file of that
 * name if it is not NULL, as a C program.
 */
void report_life(const struct life *life, const struct difference *d);
bool report_program(const char *path, const struct life *life, const struct difference *d);

#endif
