/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Running one test in a process of its own. */
#ifndef PLOAD_REGRESS_RUN_H
#define PLOAD_REGRESS_RUN_H

#include <signal.h>

#include "test/regress/harness/kmsg.h"
#include "test/regress/harness/leaks.h"
#include "test/regress/harness/parts.h"

/* The state that lasts from one test to the next. */
struct runner {
	struct sys *sys;		/* for the tests; borrowed */
	struct leaks leaks;
	struct kmsg kmsg;
	uint64_t hole;			/* when we last stood still for long: see wait_for() */
	unsigned int unwatched;		/* objects of tests that were too many to be recorded */
	unsigned int nr_stalls;		/* found by watchdogs, and not held against the kernel */
	unsigned int nr_known;		/* warnings, likewise */
	unsigned int nr_others;		/* faults in processes of others, likewise */
	unsigned int nr_illegal;	/* instructions that were done again, likewise */
	unsigned int nr_late;		/* tests whose objects were freed late */
	unsigned int broken;		/* facts that do not hold: facts.h */
	unsigned int nr_rests;		/* tests whose time was over as they rest on such facts */
	const void *used_in;		/* shared data of tests that have used facts ... */
	unsigned int used;		/* ... which are these */
	bool never_fires;		/* no breakpoint of this machine does */
	const void *held;		/* shared data of tests that were refused a debug register */
	const void *crowded;		/* shared data of tests that met a full tracepoint */
	unsigned int others_on;		/* the number of others' programs on it */
	struct regress_shared *shared;	/* owned; filled by each test */
	unsigned int seconds;		/* for a test that says nothing else */
	int output_fd;			/* owned; the output of tests. It cannot grow */
	int lock_fd;			/* the kernel's lock, during a test that needs it; or -1 */
	uint64_t locked_ns;		/* the time that it was another suite's */
	bool root;			/* whether this process is, with all that BPF asks for */
	sigset_t before;		/* signals that were blocked */
	int signal;			/* that wants us to end; 0: none */
	int error;			/* an errno: there can be no more processes */

	/* of the last test */
	bool timed_out;
	uint64_t ns, cpu_ns;		/* of the clock; of CPUs */
	char output[4096 + 128];	/* the beginning of its output; "" */
};

/* runner_init() - 0 or -errno. From here on SIGINT, SIGTERM, SIGHUP are only noted. */
int runner_init(struct runner *r, struct sys *sys, const struct place *place,
		unsigned int seconds);
void runner_free(struct runner *r);

/*
 * runner_run() - run @test; its result is in @r in any case. @room: the memory that it shares with
 * the other tests of its list, or NULL. false: there can be no process for it, @r->error says why.
 */
bool runner_run(struct runner *r, const struct regress_test *test, void *room);

/* runner_kernel() - the release of the running kernel, as LINUX(major, minor). */
unsigned int runner_kernel(void);

/* runner_stopped() - whether a signal has arrived that asks us to end. */
bool runner_stopped(struct runner *r);

/*
 * illegal_begin() - on s390x an instruction from which a uprobe was removed may be reported as
 * illegal once: from now on this process and its children repeat it, and count that. No effect on
 * other machines.
 */
void illegal_begin(struct regress_shared *of);

/* --- the parts of its judgement --- */

/* runner_fail() - that is why it failed. */
void runner_fail(struct regress_shared *shared, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* runner_rests() - the facts that do not hold and that the last test has used, but for its own. */
unsigned int runner_rests(const struct runner *r);

/* runner_judge() - by how its process ended, which had so many seconds. */
void runner_judge(struct runner *r, unsigned int seconds, int status);

/*
 * runner_leaks(), runner_kmsg() - judge the test by what it has left, and by the kernel's messages.
 * Noted in any case; a failure if the test was @orderly, which is to have ended without a failure.
 */
void runner_leaks(struct regress_shared *shared, const struct texts *found, bool orderly);
void runner_kmsg(struct runner *r, bool orderly);

/* breakpoints_fire() - Return false if this machine opens a breakpoint and never triggers it. */
bool breakpoints_fire(struct sys *sys);

#endif
