/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes the steps of a life as system calls, in processes of its own. Needs a libc and nothing of this project. */
#ifndef PLOAD_RANDOM_CALLS_H
#define PLOAD_RANDOM_CALLS_H

#include <sys/types.h>

#include "test/regress/random/op.h"

struct shared;

/* The processes and objects of one life after another. */
struct world {
	struct shared *shared;	/* what the processes see of each other */
	bool has[NR_TYPES];	/* the types of events that happen on this machine */
	bool has_cookies;
	unsigned int nr[LINK + 1];	/* objects that were created, by kind */
	uint32_t ids[LINK + 1][NR_OBJECTS];
	int runs_fd, tasks_fd;	/* maps: what ran, and in which processes it is counted */
};

/*
 * The kernel: a system call, which returns -1 and sets errno. A test replaces it by one that answers
 * wrongly.
 */
extern long (*calls_enter)(long nr, long a, long b, long c, long d, long e);

/*
 * calls_begin() - get a mount namespace with a bpffs of its own, and find out what there is. Returns
 * NULL, or what is missing.
 */
const char *calls_begin(struct world *w);

/* calls_start() - process 0 begins a life. calls_stop() - all processes and pins end. */
void calls_start(struct world *w);
void calls_stop(struct world *w);

/*
 * calls_do() - make a step. Returns NULL, or what became of the process that made it instead of
 * answering: it hangs, or has died. The facts are in no order.
 */
const char *calls_do(struct world *w, const struct op *op, struct answer *a);

/* calls_exists() - whether the object is still in the kernel. */
bool calls_exists(struct world *w, enum kind kind, int object);

/* calls_runs() - add what has run since the last call. */
void calls_runs(struct world *w, struct answer *a);

/* calls_actor() - what main() calls first: a process that EXEC has started does not return. */
void calls_actor(int argc, char **argv);

#endif
