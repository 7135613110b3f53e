/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * struct error: what failed, why, where, and what the user can do about it. All code reports errors
 * with it.
 */
#ifndef PLOAD_ELF_ERROR_H
#define PLOAD_ELF_ERROR_H

#include <stddef.h>
#include <stdint.h>

/*
 * The bpf and perf subsystems return it for "not supported"; only include/linux/errno.h defines it.
 */
#define KERNEL_ENOTSUPP 524

/*
 * A source line of a program and a remark about it. Without line information, line is 0, file is
 * empty, and source is the instruction. The texts may contain any byte of the object's strings.
 */
struct error_note {
	uint32_t insn;		/* index in the linked program */
	uint32_t line, column;	/* from 1; column 0: unknown */
	char file[256];
	char source[160];
	char text[256];		/* "R0 may be NULL" */
};

/*
 * The function that finds the failure fills it with error_set(). Callers only add context. main()
 * prints:
 *
 *	FILE:LINE:COLUMN: error: TEXT: SOURCE		notes[0]
 *	FILE:LINE:COLUMN: note: TEXT: SOURCE		notes[1...]
 *	pload: WHERE: WHAT [REASON]
 *	call: CALL					with -v
 *	hint: HINT
 *
 * All texts except notes are printable ASCII, whatever bytes an object's names contain.
 * sys_error_call() (loader/core/sys/refused.h) fills in the system call.
 */
struct error {
	int code;		/* -errno; 0: no error */
	uint64_t at;		/* 1 + file offset of the damage; 0: unknown */
	const char *reason;	/* static; the stable code for scripts, "perf-open/no-pmu"; or
				 * NULL */
	char where[256];	/* the error context: "prog.o: .relperf_event[0] at 0x658" */
	char what[512];		/* "symbol 'hits' is undefined" */
	char hint[512];		/* "define it in this object"; may be empty */
	char call[1024];	/* the system call that failed, decoded; may be empty */
	char *log;		/* owned; the log of the verifier or of the BTF checks; or NULL */
	struct error_note *notes;	/* owned; [0]: where the program fails, then the path to
					 * it in execution order; or NULL */
	unsigned int nr_notes;
};

/*
 * @err may be NULL if the caller does not care why. Each function returns the error, so that it can
 * be used in a return statement: error_set() returns -@code, the others err->code, or -EINVAL if
 * @err is NULL.
 *
 * error_set() - Discard the contents of @err and describe a failure; @code is a positive errno.
 * error_what() - Replace only err->what.
 * error_where() - Prepend context: "outer: inner".
 * error_hint() - Set the hint: one sentence.
 * error_at() - Set the file offset of the damage, unless a more exact one is set. Readers of BTF
 * pass an offset into the BTF, which may be a section of a file.
 * error_reason() - Set the stable code; @reason is a string literal.
 * error_reason_default() - Set it unless one is set; out of memory is "pload/no-memory".
 */
int error_set(struct error *err, int code, const char *fmt, ...)
	__attribute__((cold, format(printf, 3, 4)));
int error_what(struct error *err, const char *fmt, ...)
	__attribute__((cold, format(printf, 2, 3)));
int error_where(struct error *err, const char *fmt, ...)
	__attribute__((cold, format(printf, 2, 3)));
int error_hint(struct error *err, const char *fmt, ...)
	__attribute__((cold, format(printf, 2, 3)));
int error_at(struct error *err, uint64_t offset) __attribute__((cold));
int error_reason(struct error *err, const char *reason) __attribute__((cold));
int error_reason_default(struct error *err, const char *reason) __attribute__((cold));

/* error_log() - Attach a log. @err takes ownership of @log, which was malloc'ed. */
void error_log(struct error *err, char *log);

/* error_notes() - Attach @nr notes. @err takes ownership of the malloc'ed array. */
void error_notes(struct error *err, struct error_note *notes, unsigned int nr);

/*
 * error_copy() - Overwrite @err with @from, which must not have a log or notes. Return: from->code.
 */
int error_copy(struct error *err, const struct error *from);

/* error_clear() - Free the log and the notes, and reset @err. */
void error_clear(struct error *err);

/* error_strerror() - Like strerror(3), but also knows KERNEL_ENOTSUPP. */
const char *error_strerror(int code);

/* --- similar names, for the hint "did you mean ..." (distance.c) --- */

/* The distance between two names if either has this many characters or more. */
#define DISTANCE_MAX 64

/*
 * edit_distance() - The number of characters to insert, delete or replace to turn @a into @b
 * (Levenshtein distance), or DISTANCE_MAX.
 */
unsigned int edit_distance(const char *a, const char *b);

#define NEAREST_MAX 3
#define NEAREST_NAME DISTANCE_MAX

/* The known names most similar to an unknown one. */
struct nearest {
	const char *wanted;	/* borrowed */
	unsigned int nr;
	unsigned int distance[NEAREST_MAX];	/* ascending */
	char name[NEAREST_MAX][NEAREST_NAME];
};

void nearest_init(struct nearest *near, const char *wanted);

/*
 * nearest_offer() - Copy @name into @near if it is similar to the wanted name, and more similar
 * than the one it replaces. Duplicates are dropped.
 */
void nearest_offer(struct nearest *near, const char *name);

/* nearest_text() - Write "a, b, c" to @buf, or "" if none is similar. Return: @buf. */
const char *nearest_text(const struct nearest *near, char *buf, size_t size);

#endif
