/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Find what a test leaves behind in the kernel, in file systems, and in its own process. */
#ifndef PLOAD_REGRESS_LEAKS_H
#define PLOAD_REGRESS_LEAKS_H

#include "test/regress/harness/parts.h"
#include "test/regress/harness/place.h"

/* --- a set of names --- */

struct texts {
	char **list;		/* owned; sorted by texts_sort() */
	unsigned int nr;
};

void texts_add(struct texts *names, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void texts_sort(struct texts *names);
bool texts_have(const struct texts *sorted, const char *name);
void texts_free(struct texts *names);

/* --- programs, maps, links and BTF, by id --- */

enum { NR_KINDS = 4 };

/*
 * watch_sys() - a struct sys that forwards to @next and records the ids of all objects created
 * through it in @shared. Static; there is one.
 */
struct sys *watch_sys(struct sys *next, struct regress_shared *shared);

struct ids {
	uint32_t *list;		/* owned; ascending */
	unsigned int nr;
};

/* The ids that exist before a test; empty if other users create objects, too. */
struct ids_before {
	struct ids kinds[NR_KINDS];
};

/*
 * The kernel frees objects after grace periods, which are long on a busy machine. If some are not
 * freed in time, is_late() is asked whether to wait longer. @held: a process or a pin still holds
 * one of them; objects without a holder are still being freed.
 */
struct leaks_late {
	bool (*is_late)(void *arg, bool held);
	void *arg;
};

/*
 * ids_begin() - read the ids that exist. @all: there are no other users, so that each new object is
 * the test's. Returns 0, or -errno if the ids cannot be read. ids_end() - wait a bounded time for
 * objects that are being freed, and add a line to @found for each that remains. Frees @before.
 */
int ids_begin(struct sys *sys, struct ids_before *before, bool all);
void ids_end(struct sys *sys, struct ids_before *before, bool all,
	     const struct regress_shared *shared, const struct leaks_late *late,
	     struct texts *found);

/* --- everything, around each test --- */

#define NR_THINGS 5

struct leaks {
	struct sys *sys;	/* borrowed */
	const struct place *place;	/* borrowed */
	struct ids_before ids;
	struct texts before[NR_THINGS];	/* owned */
	int ids_untold;		/* why ids are unknown: -errno; 0: they are known */
	struct leaks_late late;
};

/* leaks_init() - before the first test. leaks_free() after the last. */
void leaks_init(struct leaks *l, struct sys *sys, const struct place *place);
void leaks_free(struct leaks *l);

/* leaks_begin() - call before each test; leaks_end() afterwards. */
void leaks_begin(struct leaks *l);

/*
 * leaks_end() - add a line for each thing that the test of process @pid has left. @kept gets
 * objects in the kernel (maps, programs, links, BTF), @made what may keep those (mounts, pins,
 * cgroups, lines of tracefs) and is removed if possible; the two may be one list. If @made_first,
 * it is removed before the objects are listed, and @kept then has only objects that nothing known
 * keeps.
 */
void leaks_end(struct leaks *l, pid_t pid, const struct regress_shared *shared, bool made_first,
	       struct texts *kept, struct texts *made);

/* --- in the process of a test --- */

/* The open descriptors, as bits. */
struct descriptors {
	unsigned char open[4096 / 8];
};

void descriptors_read(struct descriptors *d);

/* descriptors_check() - fail the test if the open descriptors are not those in @before. */
void descriptors_check(struct regress *t, const struct descriptors *before);

/* --- processes --- */

/* children_begin() - remember the current children, which are not the test's. */
void children_begin(void);

/*
 * children_end() - wait a limited time for each child to exit, kill those that do not, and add a
 * line to @found for each of these. If not @patient, kill all at once and report none.
 */
void children_end(bool patient, struct texts *found);

#endif
