/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The notes that <sys/sdt.h> leaves in programs: where a USDT probe is, and where its arguments are
 * when it is reached.
 */
#ifndef PLOAD_ELF_EXEC_USDT_NOTES_H
#define PLOAD_ELF_EXEC_USDT_NOTES_H

#include "elf/exec/exec.h"

struct sdt_note {
	const char *provider, *name;	/* borrowed from the file */
	const char *args;	/* "-4@%eax 8@-8(%rbp)"; "" when there are none */
	uint64_t address;	/* of the probe's nop, as the file is linked now */
	uint64_t semaphore;	/* counts who listens; 0: it has none */
};

/* Where a walk over the notes of a file is. */
struct sdt_reader {
	const struct exec *x;	/* borrowed */
	struct bytes notes;
	uint32_t section;	/* that notes are of; 0 at first */
	uint64_t at;	/* in notes */
	bool has_base;	/* base is the address of .stapsdt.base now */
	uint64_t base;
};

/* sdt_begin() - before the first note of @x, which is borrowed. */
void sdt_begin(struct sdt_reader *r, const struct exec *x);

/*
 * sdt_next() - 1: @note is the next one. 0: there is none. EBADMSG: it is damaged, where "section
 * '.note.stapsdt' at 0x10". Notes of later versions of the format are passed over. Addresses are
 * put right where the file was linked to other ones since (prelink). Source: systemtap's "UserSpace
 * Probe Implementation".
 */
int sdt_next(struct sdt_reader *r, struct sdt_note *note, struct error *err);

/* --- arguments --- */

enum sdt_arg_kind {
	SDT_ARG_CONST,	/* value */
	SDT_ARG_REGISTER,	/* what is in base */
	SDT_ARG_MEMORY,	/* what is in memory at value + base + (index << shift) */
	SDT_ARG_OTHER,	/* somewhere that no program can look: why */
};

struct sdt_arg {
	enum sdt_arg_kind kind;
	uint8_t size;	/* bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool has_index;
	uint8_t shift;
	uint16_t base, index;	/* where in the kernel's struct pt_regs the registers are */
	int64_t value;
	const char *symbol; /* value has the address of this variable to be added, and that of the
			     * probe taken away, since base is the program counter; borrowed, NULL:
			     * none */
	uint32_t symbol_len;
	const char *why;	/* OTHER; static */
};

/*
 * sdt_arg_next() - take the next argument off *@text, the args of a note of a file for @machine,
 * and understand it: 1. 0: there is none. It cannot fail: what is not understood is an
 * SDT_ARG_OTHER. Machines: x86-64 with i386, arm64, s390x.
 */
int sdt_arg_next(uint16_t machine, bool is_64, const char **text, struct sdt_arg *arg);

#endif
