/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files that read USDT notes share with nobody else. */
#ifndef PLOAD_ELF_EXEC_USDT_INTERNAL_H
#define PLOAD_ELF_EXEC_USDT_INTERNAL_H

#include "elf/exec/usdt_notes.h"

/*
 * sdt_register() - where register @name of @machine ("rax", "w0", "r15") is in struct pt_regs; 4
 * bytes of its 8 for "eax" are at the same place in little endian. *@zero: it is one that is always
 * 0. false: it is not there, as vector registers are not.
 */
bool sdt_register(uint16_t machine, const char *name, size_t len, uint16_t *offset, bool *zero);

/* sdt_program_counter() - where that is. false: machine not known. */
bool sdt_program_counter(uint16_t machine, uint16_t *offset);

#endif
