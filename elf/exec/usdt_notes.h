/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* USDT probes of a program: their locations, and where their arguments are when they fire. */
#ifndef PLOAD_ELF_EXEC_USDT_NOTES_H
#define PLOAD_ELF_EXEC_USDT_NOTES_H

#include "elf/exec/exec.h"

struct sdt_note {
	const char *provider, *name;	/* borrowed from the file */
	const char *args;	/* "-4@%eax 8@-8(%rbp)"; "" if there are none */
	uint64_t address;	/* address of the probe's nop, as the file is linked now */
	uint64_t semaphore;	/* address of the counter of attached tracers (the semaphore); 0:
				 * none */
};

/* The state of an iteration over the notes of a file. */
struct sdt_reader {
	const struct exec *x;	/* borrowed */
	struct bytes notes;
	uint32_t section;	/* index of the section being read; 0 initially */
	uint64_t at;	/* in notes */
	bool has_base;	/* base is the current address of .stapsdt.base */
	uint64_t base;
};

/* sdt_begin() - Start iterating over the notes of @x, which is borrowed. */
void sdt_begin(struct sdt_reader *r, const struct exec *x);

/**
 * sdt_next() - Read the next note.
 *
 * Addresses are adjusted if the file was relocated after it was built (prelink). Notes in later
 * versions of the format are skipped.
 * Return: 1, 0 after the last note, or -EBADMSG (with the context "section '.note.stapsdt' at
 * 0x10"). See "UserSpace Probe Implementation" of SystemTap.
 */
int sdt_next(struct sdt_reader *r, struct sdt_note *note, struct error *err);

/* --- arguments --- */

enum sdt_arg_kind {
	SDT_ARG_CONST,	/* the number value */
	SDT_ARG_REGISTER,	/* the register base */
	SDT_ARG_MEMORY,	/* the memory at value + base + (index << shift) */
	SDT_ARG_OTHER,	/* a BPF program cannot read it; why has the reason */
};

struct sdt_arg {
	enum sdt_arg_kind kind;
	uint8_t size;	/* in bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool has_index;
	uint8_t shift;
	uint16_t base, index;	/* offsets of the registers in the kernel's struct pt_regs */
	int64_t value;
	const char *symbol; /* a variable, whose distance from the probe is added to value
			     * because base is the program counter; borrowed; NULL: none */
	uint32_t symbol_len;
	const char *why;	/* OTHER; static */
};

/**
 * sdt_arg_next() - Read the next argument of a probe.
 * @machine: x86-64, i386, arm64 or s390x
 * @text: the args of a note; advanced to the following argument
 *
 * An argument that cannot be parsed becomes SDT_ARG_OTHER.
 * Return: 1, or 0 after the last one.
 */
int sdt_arg_next(uint16_t machine, bool is_64, const char **text, struct sdt_arg *arg);

#endif
