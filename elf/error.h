/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The one way in which anything in pload fails: a code, a place, what was found there, and a hint.
 */
#ifndef PLOAD_ELF_ERROR_H
#define PLOAD_ELF_ERROR_H

#include <stddef.h>

/*
 * include/linux/errno.h: for NFSv3 once, and now what the bpf and perf subsystems say for "not
 * supported". No header of user space has it.
 */
#define KERNEL_ENOTSUPP 524

/*
 * Filled once, where the failure is found; callers on the way up only put their place in front.
 * main prints it:
 *
 *	pload: WHERE: WHAT [REASON]
 *	call: CALL
 *	hint: HINT
 *
 * What is put into where, what and hint becomes printable ASCII there, whatever names an object
 * has. The call is filled in by sys_error_call() of loader/sys/error_call.h.
 */
struct error {
	int code;		/* -errno as the kernel or we gave it; 0: no error */
	const char *reason;	/* stable word for scripts, such as "perf-open/no-pmu"; static,
				 * may be NULL */
	char where[256];	/* "prog.o: .relperf_event[0] at 0x658" */
	char what[512];		/* "symbol 'hits' is undefined" */
	char hint[512];		/* "define it in this object"; may be empty */
	char call[1024];	/* the system call that was refused, decoded; may be empty */
	char *log;		/* the kernel's own words (verifier, BTF), owned; may be NULL */
};

/*
 * error_set() - state a failure: @code is a positive errno, @fmt says what was found.
 * Clears what @err held. @err may be NULL where the caller does not care why.
 * Returns -@code, so that `return error_set(...)` is the idiom.
 */
int error_set(struct error *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * error_where() - put a place in front of those already there: "outer: inner".
 * Like the two below returns err->code, or -EINVAL when @err is NULL: a failure stays a failure.
 */
int error_where(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* error_hint() - what the user can do about it (one sentence). Returns err->code. */
int error_hint(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * error_reason() - the stable code for scripts; @reason must be a string literal. Returns
 * err->code.
 */
int error_reason(struct error *err, const char *reason);

/*
 * error_reason_default() - the same where the failure has no reason yet: what is wrong in a stage
 * as a whole (or NULL). Out of memory is "pload/no-memory" wherever it happens.
 */
int error_reason_default(struct error *err, const char *reason);

/* error_log() - hand over the kernel's log; @log is malloc'ed and owned by @err from here on. */
void error_log(struct error *err, char *log);

/* error_clear() - forget the failure and free the log. */
void error_clear(struct error *err);

/*
 * error_strerror() - the text of a positive errno. Knows ENOTSUPP (524), which the kernel returns
 * and strerror(3) does not know.
 */
const char *error_strerror(int code);

/* --- names for a hint "did you mean ..." (distance.c) --- */

/* Names of so many letters or more are as far as can be from all others. */
#define DISTANCE_MAX 64

/*
 * edit_distance() - how many letters have to be put in, taken out or changed to make @b of @a
 * (Levenshtein); DISTANCE_MAX when one of them is too long.
 */
unsigned int edit_distance(const char *a, const char *b);

/* The few names that are most like one that is not there. */
#define NEAREST_MAX 3
#define NEAREST_NAME DISTANCE_MAX

struct nearest {
	const char *wanted;	/* borrowed */
	unsigned int nr;
	unsigned int distance[NEAREST_MAX];	/* ascending */
	char name[NEAREST_MAX][NEAREST_NAME];
};

void nearest_init(struct nearest *near, const char *wanted);

/*
 * nearest_offer() - keep @name (copied) if it is among the nearest so far, by edit distance, and
 * not too far to be meant. The same name is kept once.
 */
void nearest_offer(struct nearest *near, const char *name);

/* nearest_text() - "a, b, c" into @buf, empty when nothing was near. Returns @buf. */
const char *nearest_text(const struct nearest *near, char *buf, size_t size);

#endif
