/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Internals of the diagnosis: the path that the verifier followed, and the meaning of its verdict.
 */
#ifndef PLOAD_EXPLAIN_KERNEL_DIAGNOSIS_H
#define PLOAD_EXPLAIN_KERNEL_DIAGNOSIS_H

#include "loader/explain/kernel/refused.h"

/* --- verdict.c --- */

enum {
	VERDICT_NULL = 1 << 0,		/* a pointer that may be NULL */
	VERDICT_NUMBER = 1 << 1,	/* a number that should be a pointer */
	VERDICT_LOCATION = 1 << 2,	/* every path to the instruction fails */
	VERDICT_PROGRAM = 1 << 3,	/* about the whole program; need not follow an
					 * instruction */
	VERDICT_LOCK = 1 << 4,		/* a lock that is still held */
	VERDICT_OFFSET = 1 << 5,	/* a number that was added to a pointer */
	VERDICT_EXACT = 1 << 6,		/* not part of a verdict: see verifier_path_origin() */
};

/* Words of the verifier (any release) and what they mean. */
struct verdict {
	const char *words;	/* words in a log line; '*': anything in between */
	const char *what;	/* "%R may be NULL": %R is the register on the line, %F the
				 * called function; NULL: the line itself, or its numbers */
	const char *hint;
	unsigned int flags;	/* VERDICT_* */
};

/* verdict_find() - Return the first row whose words occur in @line, or NULL. */
const struct verdict *verdict_find(const char *line);

/*
 * verdict_helper() - Return the helper of "invalid func unknown#195", which programs of this type
 * cannot call, or NULL.
 */
const char *verdict_helper(const char *line);

/* --- verdict_text.c --- */

/*
 * verdict_text() - Describe the problem of @line in a few words.
 * @v: its row, or NULL
 * @call: the function that the failing instruction calls, or ""
 *
 * Without a row, or if the row needs more than @line contains, the text is @line itself.
 */
void verdict_text(const struct verdict *v, const char *line, const char *call, char *to,
		  size_t size);

/* verdict_register() - Return the register that @line starts with ("R6 min value ..."), or -1. */
int verdict_register(const char *line);

/* --- verifier_path.c --- */

/* The instructions that the verifier followed, from the first to the one that fails. */
struct verifier_path {
	const char *log;	/* borrowed */
	const struct bpf_insn *insns;	/* borrowed */
	struct verifier_step {
		uint32_t insn;	/* below nr_insns */
		uint32_t at;	/* offset of the step's line in the log */
	} *steps;		/* owned */
	uint32_t nr;
};

/**
 * verifier_path_read() - Find the path in the log up to @end.
 *
 * At log level 1, kernels since Linux 5.8 drop the part of a path that they have finished. Older
 * kernels print all paths: "from 9 to 12" continues the path at its last instruction 9.
 * Return: 0 or -ENOMEM.
 */
int verifier_path_read(struct verifier_path *path, const char *log, const char *end,
		       const struct prog_code *code);
void verifier_path_free(struct verifier_path *path);

/* The origin of a register's value: the step that produced it. */
struct verifier_origin {
	enum {
		ORIGIN_UNKNOWN,
		ORIGIN_CALL,	/* returned by a call */
		ORIGIN_LOAD,	/* read from memory */
		ORIGIN_CONSTANT,	/* a number, an address */
		ORIGIN_ARGUMENT,	/* in this register when the program started */
		ORIGIN_CLOBBERED,	/* cleared by a call */
	} kind;
	uint32_t step;		/* step of the path */
	int reg;		/* ARGUMENT: the register */
};

/**
 * verifier_path_origin() - Trace back the value that register @reg has before @step, through
 * copies, arithmetic, spills to the stack and calls of the program's functions.
 * @flags: VERDICT_NULL: the value is a pointer, which only a spill can have stored on the stack;
 * VERDICT_OFFSET: follow the number that was added to a pointer, not the pointer; VERDICT_EXACT:
 * stop at arithmetic, so that the value is that of its origin
 */
struct verifier_origin verifier_path_origin(const struct verifier_path *path, uint32_t step,
					    int reg, unsigned int flags);

/*
 * verifier_path_call() - Copy the name of the function that @step calls to @name, or "" if it calls
 * none or one without a name.
 * verifier_path_branch() - If @step is a conditional jump and not the last step, write "r6 == 0x0
 * is true" to @text and return true.
 */
void verifier_path_call(const struct verifier_path *path, uint32_t step, char *name, size_t size);
bool verifier_path_branch(const struct verifier_path *path, uint32_t step, char *text,
			  size_t size);

/* --- origin_name.c --- */

struct naming {
	const struct bpf_object *obj;
	const struct prog_code *code;
	const struct verifier_path *path;
};

/*
 * origin_name() - Name the source of the origin's value, for its note: "variable 'n'", "ctx->data",
 * "'pid' of map 'hits'"; "" if BTF and the instructions do not tell.
 * value_name() - Name the value of register @reg before the last step, if it is unchanged since its
 * origin: "variable 'n'", "a value of map 'hits'"; or "".
 */
void origin_name(const struct naming *n, const struct verifier_origin *o, char *to, size_t room);
void value_name(const struct naming *n, int reg, char *to, size_t room);

#endif
