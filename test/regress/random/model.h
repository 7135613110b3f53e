/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The model of attaching: who holds whom, and which programs run. model.c is the specification. */
#ifndef PLOAD_RANDOM_MODEL_H
#define PLOAD_RANDOM_MODEL_H

#include "test/regress/random/op.h"

enum { NR_EVENTS = 2 * NR_OBJECTS };	/* with those that children inherit */

struct descriptor {
	uint8_t kind;		/* enum kind */
	int8_t object;
};

enum event_state { OFF, ON, ENDED };	/* ENDED: its task has exited */

/* An event of one task or CPU. One that was inherited has a parent, and no descriptor. */
struct event {
	bool alive, inherit, attr_disabled;
	bool stopped;		/* enabled, and does not count all the same */
	uint8_t type, state;
	int8_t task;		/* -1: the CPU on which all processes of ours run */
	int8_t parent;		/* the event from which it was inherited; -1: it was opened */
	int8_t leader;		/* of its group; its own index if it leads or is alone */
	int8_t owner;		/* the process that opened it; -1 when that has exited */
	int8_t prog;		/* -1: none */
	uint8_t variable;	/* the one that a breakpoint watches */
	uint32_t cookie;
	uint32_t period, since;	/* 0: it only counts; occurrences since the last overflow */
	uint32_t limit;		/* overflows until it is disabled; 0: no limit */
	uint64_t count, of_children;	/* of_children: of tasks that have exited */
};

struct prog {
	bool alive, returns_1;
	uint8_t type;
	int8_t map;		/* -1: none */
};

struct link {
	bool alive;
	int8_t event, prog;
	uint32_t cookie;
};

struct model {
	unsigned int kernel;	/* the release whose rules hold: 6.12 is 6 << 16 | 12 << 8 */
	bool alive[NR_PROCS];	/* the processes */
	struct descriptor files[NR_PROCS][NR_FDS], pins[NR_PINS], transit[NR_TRANSIT];
	unsigned int nr_transit;
	unsigned int nr_events, nr_progs, nr_maps, nr_links;	/* how many were created */
	struct event events[NR_EVENTS];
	struct prog progs[NR_OBJECTS];
	bool maps[NR_OBJECTS];
	struct link links[NR_OBJECTS];
	/* The programs of the tracepoint, in order, whichever event brought them. */
	struct { int8_t prog; uint32_t cookie; } array[NR_OBJECTS];
	unsigned int nr_array;
};

/* The answers to a step that the model permits. */
struct expected {
	int may[4];		/* one of these errors; 0: it succeeds */
	unsigned int nr_may;
	struct answer answer;	/* answer.err is the one that the kernel has given */
	bool count_is_free;	/* others count as well: COUNT is not compared */
	bool later;		/* what ended, ends in the background: wait for it */
};

/* model_init() - one process, no descriptors. @kernel: as in struct model. */
void model_init(struct model *m, unsigned int kernel);

/*
 * model_step() - make the step @op. @err: what the kernel has answered; where the rules leave it the
 * choice, the model follows it. Otherwise @e->may does not have it.
 */
void model_step(struct model *m, const struct op *op, int err, struct expected *e);

/* A row of the table of differences between kernels. */
struct model_rule {
	unsigned int since;	/* the first release with the rule */
	const char *commit, *what;
};
extern const struct model_rule model_rules[];
extern const unsigned int model_nr_rules;

/* model_active() - whether the event counts while its task runs. */
bool model_active(const struct model *m, int event);

#endif
