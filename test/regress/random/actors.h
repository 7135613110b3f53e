/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Perform the steps of a life as system calls, in separate processes. It needs libc, but nothing
 * from this project.
 */
#ifndef PLOAD_RANDOM_ACTORS_H
#define PLOAD_RANDOM_ACTORS_H

#include <sys/types.h>

#include "test/regress/random/op.h"

struct shared;

/* The processes and objects of one life after another. */
struct world {
	struct shared *shared;	/* what the processes see of each other */
	bool has[NR_TYPES];	/* the types of events that happen on this machine */
	bool has_cookies;
	bool one_breakpoint;	/* at a time: two are not reported together */
	unsigned int nr[LINK + 1];	/* objects that were created, by kind */
	uint32_t ids[LINK + 1][NR_OBJECTS];
	int runs_fd, tasks_fd;	/* maps: what ran, and in which processes it is counted */
};

/*
 * The kernel: a system call, which returns -1 and sets errno. A test replaces it by one that answers
 * wrongly.
 */
extern long (*actors_enter)(long nr, long a, long b, long c, long d, long e);

/*
 * actors_begin() - get a mount namespace with a bpffs of its own, and find out what there is. Returns
 * NULL, or what is missing.
 */
const char *actors_begin(struct world *w);

/* actors_start() - process 0 begins a life. actors_stop() - all processes and pins end. */
void actors_start(struct world *w);
void actors_stop(struct world *w);

/*
 * actors_do() - perform a step, however long it takes. Returns NULL, or how the process that
 * performed it died. The facts are in no particular order.
 */
const char *actors_do(struct world *w, const struct op *op, struct answer *a);

/* actors_exists() - whether the object is still in the kernel. */
bool actors_exists(struct world *w, enum kind kind, int object);

/* actors_runs() - add what has run since the last call. */
void actors_runs(struct world *w, struct answer *a);

/* actors_main() - what main() calls first: a process that EXEC has started does not return. */
void actors_main(int argc, char **argv);

#endif
