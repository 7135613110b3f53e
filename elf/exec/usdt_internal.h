/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the arguments of USDT probes. */
#ifndef PLOAD_ELF_EXEC_USDT_INTERNAL_H
#define PLOAD_ELF_EXEC_USDT_INTERNAL_H

#include "elf/exec/usdt_notes.h"

/*
 * sdt_register() - Find the offset of register @name ("rax", "w0", "r15") in struct pt_regs. "eax"
 * has the offset of "rax": the machines here are little endian, or have no such names. @zero: the
 * register always reads as 0. Return: false if pt_regs does not have it, as a vector register.
 */
bool sdt_register(uint16_t machine, const char *name, size_t len, uint16_t *offset, bool *zero);

/* sdt_program_counter() - Find the offset of the program counter; false: unknown machine. */
bool sdt_program_counter(uint16_t machine, uint16_t *offset);

#endif
