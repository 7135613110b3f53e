/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the tests of lifetimes: a session in a child, its counters, and its end. */
#ifndef PLOAD_REGRESS_LIFE_H
#define PLOAD_REGRESS_LIFE_H

#include "test/regress/common/bound.h"
#include "test/regress/common/command.h"
#include "test/regress/common/own_dir.h"

#define LIFE_UNITS 20

/* A kind of event, and the name of its first link. */
struct life_kind {
	const char *what, *prog, *event;	/* "%p": the address of firing_watched */
	bool exact;		/* as many runs as units of work, and none besides */
	const char *pin, *where;	/* of its first link, as show prints it */
};

enum { LIFE_FAULTS, LIFE_BREAKPOINT, LIFE_TRACEPOINT, LIFE_NR_KINDS };
extern const struct life_kind life_kinds[LIFE_NR_KINDS];

/* A bpffs, an object, and events of one kind. */
struct life {
	struct own_dir bpffs;
	int object;
	char name[16], dir[64];		/* of our tasks; of the pins */
	bool with_cookie;
	const struct life_kind *kind;
	char event[128];
	void (*work)(void);
	int map_fd;			/* of the counters; -1: not opened */
};

void life_begin(struct regress *t, struct life *l, const struct life_kind *kind);
void life_end(struct life *l);

/*
 * life_kill() - run a session with @args in a child, which is killed once it has printed @first.
 * life_pin() - pin a session in l->dir, with BOUND_COOKIE.
 */
void life_kill(struct regress *t, const struct life *l, const char *args, const char *first);
void life_pin(struct regress *t, struct life *l);

/* --- the session's counters --- */

struct life_counted {
	uint64_t runs, cookie;
};

struct life_counted life_counts(struct regress *t, const struct life *l);

/*
 * life_during() - the runs that LIFE_UNITS events cause. life_counting() - check that there are
 * enough.
 */
uint64_t life_during(struct regress *t, const struct life *l);
void life_counting(struct regress *t, const struct life *l, const char *when);

/*
 * life_ended() - wait until a link that was closed is released, which takes grace periods: until a
 * whole round of events leaves the counter unchanged.
 */
void life_ended(struct regress *t, const struct life *l);

/*
 * life_writing() - start a child that has our name and writes to firing_watched, which is at the
 * same address there. life_written() ends it.
 */
pid_t life_writing(void);
void life_written(pid_t pid);

/* The tests of sessions that are not pinned, and of rings. life_ends.c */
regress_run life_test_ends, life_test_seen, life_test_ringbuf, life_test_perf_ring;

struct life_unpinned {
	unsigned int kind;
	const char *method;
	const char *shown;	/* by show, while it runs */
};

#endif
