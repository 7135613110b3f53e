/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Internals of the harness: lists of tests, what a child reports to its parent, and how a test is
 * run.
 */
#ifndef PLOAD_REGRESS_PARTS_H
#define PLOAD_REGRESS_PARTS_H

#include "test/regress/harness/regress.h"

#define SUITE_VERSION "2"	/* the version of the format of records */

/* --- the tests --- */

#define TEST_ID_SIZE 32

/*
 * test_id() - the stable id of a test, from the embedded file regress_ids. Copies it to @id, or ""
 * when the file does not have that test.
 */
void test_id(const char *group, const char *test, char id[TEST_ID_SIZE]);

struct regress_list {
	struct regress_test *tests;	/* owned; including generated names */
	char (*ids)[TEST_ID_SIZE];	/* owned; of each test, or "" */
	unsigned int nr, room;
	size_t share;		/* the size in bytes of the memory that they share */
	unsigned int seconds;	/* the patience of those added next */
};

/* list_of() - all tests of @group, with their ids. list_free() in any case. */
void list_of(struct regress_list *list, const struct regress_group *group);
void list_free(struct regress_list *list);

/*
 * --- defined by the program that contains the harness; the self-test is another such program ---
 */

extern const struct regress_group *const regress_groups[];	/* ends with NULL */

/*
 * Globs of tests, as "GROUP/TEST", that use things of which a kernel has only one: only one suite
 * runs one of them at any time (kernel_lock.h). Ends with NULL.
 */
extern const char *const regress_exclusive[];

/* The part of the ABI that each of regress_groups is about, or "loader". Ends with NULL. */
extern const char *const regress_areas[];

/*
 * Globs of the tests that --quick runs, and of those that test this project's loader. Each ends
 * with NULL.
 */
extern const char *const regress_quick[], *const regress_loader[];

/* Names of the ABI around attaching, for --coverage. Ends with NULL. */
extern const char *const regress_abi[];

/*
 * An option in a kernel's configuration, and the tests that need it: a glob for fnmatch(3) with
 * FNM_EXTMATCH.
 */
struct regress_need {
	const char *config, *tests;
};

extern const struct regress_need regress_needs[];	/* ends with a row of NULL */

/*
 * Tests whose answer the ABI leaves to the implementation, and why. All others state what it demands: they are a
 * must. Globs as above, without FNM_EXTMATCH. Ends with a row of NULL.
 */
struct regress_freedom {
	const char *tests, *why;
};

extern const struct regress_freedom regress_may_differ[];

/* The name of the embedded file that contains the id of each test. */
extern const char regress_ids[];

/*
 * How long the kernel may take to free what a test has released. It is longer than the ten seconds
 * after which the kernel reports a late grace period of RCU-tasks.
 */
extern const uint64_t regress_patience_ns;

/*
 * How much longer it may take if no process or pin holds the objects: on a busy machine, grace
 * periods are long.
 */
extern const uint64_t regress_late_ns;

/* regress_kmsg() - the path of the kernel's messages. */
const char *regress_kmsg(void);

/* --- the result of a test --- */

enum regress_state {
	REGRESS_UNSAID,		/* it ended without reporting a state: it was killed, or exited */
	REGRESS_PASSED,
	REGRESS_FAILED,
	REGRESS_SKIPPED,
	REGRESS_DIFFERS,	/* it failed, and may: regress_may_differ, with --conformance */
};

/*
 * regress_hurry() - from now on, regress_until() waits only a tenth of a second in this process:
 * the event that the test waits for does not occur on this machine.
 */
void regress_hurry(void);

/* The kinds of objects that tests create through the seam, and that are recorded by id. */
enum regress_kind { REGRESS_PROG, REGRESS_MAP, REGRESS_LINK, REGRESS_BTF };

struct regress_made {
	uint32_t kind, id;
};

#define REGRESS_MADE 8192

/* Each CPU has at least this many debug registers. */
#ifdef __x86_64__
#define DEBUG_REGISTERS 4
#else
#define DEBUG_REGISTERS 1
#endif

/* Shared by the process of a test, which writes it, and the process that waits for it. */
struct regress_shared {
	enum regress_state state;
	char why[2048];		/* of a failure or skip: one line */
	const char *source;	/* static; the test's last call of the harness, or NULL */
	unsigned int line;	/* of that file */
	const char *group_source;	/* static; the last one in a group's file */
	unsigned int group_line;
	bool said;		/* the test reported its state on that line */
	char notes[16384];	/* lines */
	char saw[16384];	/* lines "KEY\tVALUE" */
	unsigned int states;	/* facts that the test states: facts.h */
	unsigned int used;	/* facts that it has used */
	unsigned int broken;	/* facts that earlier tests have found to be false */
	unsigned int nr_illegal;	/* repeated instructions: illegal_begin() */
	bool opened_breakpoint;	/* it opened a perf event of PERF_TYPE_BREAKPOINT */
	bool lacked_breakpoint;	/* one was refused with ENOSPC: no free debug register */
	bool others_hold_breakpoints;	/* ... although the test used fewer than there are */
	unsigned int others_on;	/* programs of others on a tracepoint that was full */
	unsigned int nr_made;	/* may be more than fit */
	struct regress_made made[REGRESS_MADE];
};

/* --- embedded files --- */

struct regress_embedded {
	const char *name;	/* "probes.bpf.o" */
	const unsigned char *data, *end;
};

extern const struct regress_embedded regress_embedded[];	/* ends with NULL */

/*
 * embedded_find() - the embedded file of that name; if there is none, the name in the result is
 * NULL. Static.
 */
const struct regress_embedded *embedded_find(const char *name);

/* embedded_is_source() - whether it is C source of tests. */
bool embedded_is_source(const struct regress_embedded *file);

#endif
