/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run a test in a process of its own. */
#ifndef PLOAD_REGRESS_RUN_H
#define PLOAD_REGRESS_RUN_H

#include <signal.h>

#include "test/regress/harness/kmsg.h"
#include "test/regress/harness/leaks.h"
#include "test/regress/harness/parts.h"

/* State that persists from test to test. */
struct runner {
	struct sys *sys;		/* for the tests; borrowed */
	struct leaks leaks;
	struct kmsg kmsg;
	uint64_t hole;			/* the last long pause of this process: see wait_for() */
	unsigned int unwatched;		/* objects of tests that did not fit in the record */
	unsigned int nr_stalls;		/* reported by watchdogs, but not blamed on the kernel */
	unsigned int nr_known;		/* warnings, likewise */
	unsigned int nr_others;		/* the same: faults in other users' processes */
	unsigned int nr_illegal;	/* the same: repeated instructions */
	unsigned int nr_late;		/* tests whose objects were freed late */
	unsigned int broken;		/* facts that are false: facts.h */
	unsigned int nr_rests;		/* tests that ran out of time because of these */
	const void *used_in;		/* shared data of tests that have used facts ... */
	unsigned int used;		/* ... which are these */
	bool never_fires;		/* breakpoints never trigger on this machine */
	const void *held;		/* shared data of tests that got no debug register */
	const void *crowded;		/* shared data of tests that met a full tracepoint */
	unsigned int others_on;		/* the number of other users' programs on it */
	struct regress_shared *shared;	/* owned; filled by each test */
	unsigned int seconds;		/* for tests without a patience of their own */
	int output_fd;			/* owned; the output of tests, of limited size */
	int lock_fd;			/* the kernel's lock, during a test that needs it; or -1 */
	uint64_t locked_ns;		/* how long another suite held it */
	bool root;			/* whether it runs as root, with all that BPF requires */
	sigset_t before;		/* blocked signals */
	int signal;			/* that asks us to stop; 0: none */
	int error;			/* an errno: no more processes can be created */

	/* of the last test */
	bool timed_out;
	bool reported;			/* its failure is one that the test itself has found */
	uint64_t ns, cpu_ns;		/* of the clock; of CPUs */
	char output[4096 + 128];	/* the start of its output; "" */
};

/*
 * runner_init() - returns 0 or -errno. From here on, SIGINT, SIGTERM and SIGHUP are only recorded.
 */
int runner_init(struct runner *r, struct sys *sys, const struct place *place,
		unsigned int seconds);
void runner_free(struct runner *r);

/*
 * runner_run() - run @test; @r receives the result in any case. @room: the memory shared by the
 * tests of its list, or NULL. false: no process could be created; @r->error has the reason.
 */
bool runner_run(struct runner *r, const struct regress_test *test, void *room);

/* runner_kernel() - the release of the running kernel, as LINUX(major, minor). */
unsigned int runner_kernel(void);

/* runner_stopped() - whether a signal has asked us to stop. */
bool runner_stopped(struct runner *r);

/*
 * illegal_begin() - on s390x, an instruction from which a uprobe was removed may be reported as
 * illegal once. From now on, this process and its children repeat such instructions and count them.
 * No effect on other machines.
 */
void illegal_begin(struct regress_shared *of);

/* --- how a test is judged --- */

/* runner_fail() - fail the test for this reason. */
void runner_fail(struct regress_shared *shared, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* runner_rests() - the false facts that the last test used, except those that it states. */
unsigned int runner_rests(const struct runner *r);

/* runner_judge() - judge the test by how its process ended, which had this many seconds. */
void runner_judge(struct runner *r, unsigned int seconds, int status);

/*
 * runner_leaks(), runner_kmsg() - judge the test by what it left behind, and by the kernel's
 * messages. Always noted; a failure if the test was @orderly, which means that it ended without
 * one.
 */
void runner_leaks(struct regress_shared *shared, const struct texts *found, bool orderly);
void runner_kmsg(struct runner *r, bool orderly);

/*
 * breakpoints_fire() - Return false if breakpoints can be opened on this machine but never trigger.
 */
bool breakpoints_fire(struct sys *sys);

#endif
