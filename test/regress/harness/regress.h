/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The interface of a regression test: how it reports its result, and how it loads its objects. One
 * test is one named fact.
 */
#ifndef PLOAD_REGRESS_H
#define PLOAD_REGRESS_H

#include <stdbool.h>

#include "loader/core/session/load.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* A release of Linux, for comparisons: LINUX(6, 6). */
#define LINUX(major, minor) ((unsigned int)(major) << 16 | (unsigned int)(minor) << 8)

struct regress_shared;

/* A running test, in a process of its own that ends with it. */
struct regress {
	struct sys *sys;
	const void *data;	/* the test's */
	void *room;		/* shared by the tests of its list; NULL if none was requested */
	unsigned int kernel;	/* the running release: LINUX(6, 12) */
	bool root;		/* whether it started as root, with all that BPF requires */
	struct regress_shared *shared;	/* what the parent reads; for the harness only */
};

typedef void regress_run(struct regress *t);

/* Most rows have neither data nor a patience of their own. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct regress_test {
	const char *name;	/* the fact, in words: "closing the link ends it" */
	regress_run *run;
	const void *data;	/* its row of a table, or NULL. Static */
	unsigned int seconds;	/* the patience; 0: the default (--timeout) */
	void (*body)(void);	/* what --explain prints, if it is not run() */
};

struct regress_list;

/* Tests about one subject, in the order in which they run. */
struct regress_group {
	const char *name;	/* "binding"; with a test's: -t 'binding/closing*' */
	const char *what;	/* one line for -l */
	const struct regress_test *tests;	/* ends with a row whose name is NULL; or NULL */
	/* Append tests generated from tables to the list; or NULL. Pure. */
	void (*fill)(struct regress_list *list);
	const char *source;	/* __FILE__ */
};

/* regress_add() - append a test to a list, as in struct regress_test, with a formatted name. */
void regress_add(struct regress_list *list, regress_run *run, const void *data, const char *name,
		 ...) __attribute__((format(printf, 4, 5)));

/*
 * regress_share() - give the tests of the list @size bytes of shared memory, t->room, zeroed before
 * the first one: for measurements that the first test makes and several tests check.
 */
void regress_share(struct regress_list *list, size_t size);

/* regress_patience() - use @seconds for each test added from here on, as in struct regress_test. */
void regress_patience(struct regress_list *list, unsigned int seconds);

/*
 * --- the results of a test. Functions that end it free nothing, because its process exits, too ---
 */

/* regress_fail() - the fact is false; the text describes what was seen instead. Ends the test. */
_Noreturn void regress_fail(struct regress *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * regress_skip() - this machine lacks something that the test needs, which the text names. Ends the
 * test.
 */
_Noreturn void regress_skip(struct regress *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The facts on which most tests rest, as bits. */
enum regress_fact {
	REGRESS_FACT_IOCTL = 1,	/* a program bound by PERF_EVENT_IOC_SET_BPF runs */
	REGRESS_FACT_LINK = 2,	/* ... by BPF_LINK_CREATE */
	REGRESS_FACT_COOKIE = 4,	/* that program reads the cookie of its link */
	REGRESS_FACT_LOAD = 8,	/* bpf(2) creates maps and programs */
	REGRESS_FACT_OPEN = 16,	/* perf_event_open(2) opens an event, which counts */
	REGRESS_FACT_ENABLE = 32,	/* PERF_EVENT_IOC_ENABLE and _DISABLE work each time */
	REGRESS_FACT_PERIOD = 64,	/* attr.sample_period and attr.freq are respected */
	REGRESS_FACT_INFO = 128,	/* BPF_OBJ_GET_INFO_BY_FD reports what was loaded */
};

/*
 * regress_states() - the test states that fact. Once it has failed, other tests that use the same
 * call and fail are skipped, and wait at most a tenth of a second.
 */
void regress_states(struct regress *t, enum regress_fact fact);

/*
 * regress_session_sys() - the kernel as a session of pload calls it that a test runs: objects of the
 * session may outlive it, and so are not recorded as the test's; the facts that it uses are.
 */
struct sys *regress_session_sys(void);

/*
 * regress_needs_breakpoint() - skip the test if this machine never triggers hardware breakpoints:
 * the test waits for one opened by another process.
 */
void regress_needs_breakpoint(struct regress *t);

/* regress_expect() - fail the test unless @ok; the text describes what was seen instead. */
void regress_expect(struct regress *t, bool ok, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * regress_ok() - check @ret, the loader's result for "@what". On failure, skip the test if @err
 * (may be NULL) is due to this machine, else fail it. Returns @ret.
 */
int regress_ok(struct regress *t, int ret, const struct error *err, const char *what);

/*
 * regress_denied() - skip the test if it does not run as root and @saw is what other users get:
 * "EPERM", "open EACCES" or, because they cannot become nobody, "not tried".
 */
void regress_denied(struct regress *t, const char *key, const char *saw);

/* regress_lacks() - whether @err is due to this machine rather than the loader. */
bool regress_lacks(const struct error *err);

/* regress_note() - print a line if the test fails. */
void regress_note(struct regress *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * regress_saw() - record a behaviour that may differ between kernels, for --record and --against,
 * under the test's name and @key ("" if there is only one). Nothing is asserted.
 */
void regress_saw(struct regress *t, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The @answer of kernels from @since up to the next row. Ascending; the first is LINUX(0, 0). */
struct regress_since {
	unsigned int since;
	const char *answer;	/* alternatives are separated by '|': "ENOENT|EOPNOTSUPP" */
};

/*
 * regress_answer() - fail the test unless @saw is the answer given by the rows for the running
 * kernel. @saw is recorded, too.
 */
void regress_answer(struct regress *t, const char *key, const char *saw,
		    const struct regress_since *rows, unsigned int nr);

/* regress_errno() - "ENOENT" for -ENOENT, "0" if @ret is no error. Static. */
const char *regress_errno(int ret);

/*
 * regress_nr_fds() - the number of open descriptors of this process, to compare with a later one.
 */
unsigned int regress_nr_fds(void);

/* --- waiting --- */

/*
 * regress_until() - call @done until it returns true, or a limited time is up; returns which. The
 * limit suits the slowest machine: conclude nothing from how long it took.
 */
bool regress_until(bool (*done)(void *arg), void *arg);

/* --- objects --- */

/* The file test/regress/bpf/NAME.bpf.c, compiled, in the kernel. */
struct regress_object {
	struct loading_types types;
	struct output out;	/* takes no notes */
	struct load_options options;
	struct loading loading;
	int file_fd;		/* owned; a memfd with the file */
	char path[32];		/* by which it is opened */
};

/*
 * regress_event() - parse the text of an event, or end the test. Its strings last until the process
 * of the test ends: nothing frees them. regress_keep_event() does the same for the strings of an
 * event that was parsed otherwise; call it again after one of them was replaced.
 */
void regress_event(struct regress *t, struct event_spec *spec, const char *text);
void regress_keep_event(const struct event_spec *spec);

/*
 * regress_load() - all its maps, and those programs that are not optional (SEC("?...")), or of
 * @prog alone where that is not NULL. Ends the test when that is refused. regress_try_load():
 * returns 0 or -errno instead. regress_unload() in any case, before the test returns.
 */
void regress_load(struct regress *t, struct regress_object *o, const char *name, const char *prog);
int regress_try_load(struct regress *t, struct regress_object *o, const char *name,
		     const char *prog, struct error *err);
void regress_unload(struct regress *t, struct regress_object *o);

/*
 * regress_prog(), regress_map() - the descriptor (borrowed) of the object with that name. Ends the
 * test if there is none.
 */
int regress_prog(struct regress *t, const struct regress_object *o, const char *name);
int regress_map(struct regress *t, const struct regress_object *o, const char *name);

/*
 * regress_file() - a file that is embedded in the suite (test/regress/regress.mk), as a descriptor
 * of a memfd, owned; it may be executed, or opened through /proc/self/fd. Ends the test if it does
 * not exist.
 */
int regress_file(struct regress *t, const char *name);

/* regress_has_file() - whether that file is embedded. */
bool regress_has_file(const char *name);

/* --- the line of a test --- */

/* regress_at() - remember the source line from which a test calls the harness. Returns @t. */
struct regress *regress_at(struct regress *t, const char *source, unsigned int line);

/* A failure is reported with the line of the test that called one of these. */
#ifndef REGRESS_KEEPS_LINE
#define REGRESS_AT(t) regress_at(t, __FILE__, __LINE__)
#define regress_fail(t, ...) regress_fail(REGRESS_AT(t), __VA_ARGS__)
#define regress_expect(t, ...) regress_expect(REGRESS_AT(t), __VA_ARGS__)
#define regress_ok(t, ...) regress_ok(REGRESS_AT(t), __VA_ARGS__)
#define regress_answer(t, ...) regress_answer(REGRESS_AT(t), __VA_ARGS__)
#define regress_event(t, ...) regress_event(REGRESS_AT(t), __VA_ARGS__)
#define regress_load(t, ...) regress_load(REGRESS_AT(t), __VA_ARGS__)
#define regress_try_load(t, ...) regress_try_load(REGRESS_AT(t), __VA_ARGS__)
#define regress_prog(t, ...) regress_prog(REGRESS_AT(t), __VA_ARGS__)
#define regress_map(t, ...) regress_map(REGRESS_AT(t), __VA_ARGS__)
#define regress_file(t, ...) regress_file(REGRESS_AT(t), __VA_ARGS__)
#endif

#endif
