/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Inside the harness: lists of tests, what a child reports to its parent, and how one test is run.
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
	struct regress_test *tests;	/* owned, with those names that were generated */
	char (*ids)[TEST_ID_SIZE];	/* owned; of each test, or "" */
	unsigned int nr, room;
	size_t share;		/* bytes that they have in common */
	unsigned int seconds;	/* of patience for those to come */
};

/* list_of() - all tests of @group, with their ids. list_free() in any case. */
void list_of(struct regress_list *list, const struct regress_group *group);
void list_free(struct regress_list *list);

/* --- of the program that the harness is in; it has a self-test, which is another --- */

extern const struct regress_group *const regress_groups[];	/* ends with NULL */

/*
 * Globs of tests, as "GROUP/TEST", that use things which a kernel has only once: at any time only
 * one suite runs one of them (kernel_lock.h). Ends with NULL.
 */
extern const char *const regress_exclusive[];

/* The part of the ABI that each of regress_groups is about, or "loader". Ends with NULL. */
extern const char *const regress_areas[];

/*
 * Globs of the tests that --quick runs, and of those about this project's loader. Each ends with
 * NULL.
 */
extern const char *const regress_quick[], *const regress_loader[];

/* Names of the ABI around attaching, for --coverage. Ends with NULL. */
extern const char *const regress_abi[];

/*
 * An option of a kernel's configuration, and the tests that need it: a glob of fnmatch(3) with
 * FNM_EXTMATCH.
 */
struct regress_need {
	const char *config, *tests;
};

extern const struct regress_need regress_needs[];	/* ends with a row of NULL */

/* The name of the embedded file that has an id for each test. */
extern const char regress_ids[];

/*
 * The kernel may take this time to free what a test has released. It is more than the ten seconds
 * after which the kernel mentions a grace period of RCU-tasks that runs late.
 */
extern const uint64_t regress_patience_ns;

/*
 * Objects that no process or pin holds after that time get this time, too: on a busy machine grace
 * periods are long.
 */
extern const uint64_t regress_late_ns;

/* regress_kmsg() - the path of the kernel's messages. */
const char *regress_kmsg(void);

/* --- the result of a test --- */

enum regress_state {
	REGRESS_UNSAID,		/* it ended without a word: it was killed, or exited */
	REGRESS_PASSED,
	REGRESS_FAILED,
	REGRESS_SKIPPED,
};

/*
 * regress_hurry() - from here on regress_until() waits only a tenth of a second in this process: the
 * machine has shown that the event which the test waits for does not happen on it.
 */
void regress_hurry(void);

/* The kinds of objects that tests create through the seam, and that are recorded by id. */
enum regress_kind { REGRESS_PROG, REGRESS_MAP, REGRESS_LINK, REGRESS_BTF };

struct regress_made {
	uint32_t kind, id;
};

#define REGRESS_MADE 8192

/* Each CPU has at least this number of debug registers. */
#ifdef __x86_64__
#define DEBUG_REGISTERS 4
#else
#define DEBUG_REGISTERS 1
#endif

/* Shared by the process of a test, which writes, and the one that waits for it. */
struct regress_shared {
	enum regress_state state;
	char why[2048];		/* of a failure, or of a skip: one line */
	const char *source;	/* static; where the test last called the harness, or NULL */
	unsigned int line;	/* of that file */
	const char *group_source;	/* static; where a group's file last did, before a helper of tests */
	unsigned int group_line;
	bool said;		/* the test reported its state at that line */
	char notes[16384];	/* lines */
	char saw[16384];	/* lines "KEY\tVALUE" */
	unsigned int states;	/* facts that the test states: facts.h */
	unsigned int used;	/* facts that it has used */
	unsigned int broken;	/* facts that tests before it have found not to hold */
	unsigned int nr_illegal;	/* instructions done again: illegal_begin() */
	bool opened_breakpoint;	/* a perf event of PERF_TYPE_BREAKPOINT */
	bool lacked_breakpoint;	/* one was refused with ENOSPC: no debug register was free */
	bool others_hold_breakpoints;	/* ... when the test itself had less than there are */
	unsigned int others_on;	/* programs of others on a tracepoint that took no more */
	unsigned int nr_made;	/* may be more than there is room for */
	struct regress_made made[REGRESS_MADE];
};

/* --- files carried along --- */

struct regress_embedded {
	const char *name;	/* "probes.bpf.o" */
	const unsigned char *data, *end;
};

extern const struct regress_embedded regress_embedded[];	/* ends with NULL */

/* embedded_find() - the file of that name; the result's name is NULL if there is none. Static. */
const struct regress_embedded *embedded_find(const char *name);

/* embedded_is_source() - whether it is the C source of tests. */
bool embedded_is_source(const struct regress_embedded *file);

#endif
