/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The instructions of programs, as in the file and as linked for each kernel. */
#ifndef PLOAD_TOOLS_INSPECT_INSNS_INSNS_INTERNAL_H
#define PLOAD_TOOLS_INSPECT_INSNS_INSNS_INTERNAL_H

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/externs/externs.h"
#include "loader/tools/inspect/inspect_internal.h"

/* A kernel for which programs are linked, given by its types. */
struct kernel {
	const char *name;	/* borrowed: the file of --btf, or "this kernel" */
	struct inspect *in;	/* borrowed */
	struct kernel_types types;	/* owned, as the next two */
	struct co_re co_re;
	struct externs externs;
	struct extern_hook hook;	/* leaves unresolved what it cannot find */
	struct prog_code code;	/* owned; the linked program, or empty */
	struct error refused;	/* owned; why it cannot be linked */
	struct missing {
		char *what;		/* owned; NULL: it was found, or not searched */
		const char *reason;
	} *missing;		/* owned; for each extern */
};

/* A program, linked for each of the kernels. */
struct listing {
	struct inspect *in;	/* borrowed */
	struct kernel *kernels;	/* owned */
	unsigned int nr_kernels;
	uint32_t prog;
	struct reach reach;	/* owned; what the program uses */
	uint32_t *funcs;	/* owned; the functions of the program, in order */
	uint32_t *starts;	/* owned; the first instruction of each of them */
	uint32_t nr_funcs;
	uint32_t *relocs;	/* owned; for one section, per instruction: 1 + relocation, or 0 */
	uint32_t reloc_section;	/* the section, in the object's code; UINT32_MAX: none */
	uint32_t nr_relocs;	/* elements of relocs */
	const struct verifier_log *log;	/* borrowed; printed with the instructions, or NULL */
};

/**
 * listing_begin() - Open the kernels of --btf, or the running one. @factor: of reach_begin().
 *
 * Return: 0, -ENOMEM, or the error of a file that --btf names.
 */
int listing_begin(struct listing *l, struct inspect *in, uint32_t factor,
		  struct error *err);
void listing_end(struct listing *l);

/**
 * listing_link() - Link program @prog for each kernel; kernel.refused has why that fails.
 *
 * Without a kernel that it is linked for, or if reach.whole is false, its own function is listed.
 * Return: 0 or -ENOMEM.
 */
int listing_link(struct listing *l, uint32_t prog, struct error *err);

/* listing_code() - Return the code for the first kernel that the program is linked for, or NULL. */
const struct prog_code *listing_code(const struct listing *l);

/* listing_reloc() - Return 1 + the relocation at instruction @insn of function @f; 0: none. */
uint32_t listing_reloc(struct listing *l, const struct object_func *f, uint32_t insn);

/*
 * listing_text() - Write the linked instruction at @insn to @to, with the names of maps, functions
 * and externs: "r1 = map[hits]", "call pc+7 <f>".
 */
#define LISTING_TEXT 320
void listing_text(const struct listing *l, const struct prog_code *code, uint32_t insn,
		  const struct object_reloc *reloc, char to[LISTING_TEXT]);

/* listing_line() - Return the source line of instruction @insn. *@at is a cursor, initially 0. */
struct source_line listing_line(const struct listing *l, const struct prog_code *code,
				uint32_t insn, uint32_t *at);

#endif
