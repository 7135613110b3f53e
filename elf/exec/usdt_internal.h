/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the arguments of USDT probes. */
#ifndef PLOAD_ELF_EXEC_USDT_INTERNAL_H
#define PLOAD_ELF_EXEC_USDT_INTERNAL_H

#include "elf/exec/usdt_notes.h"

/*
 * sdt_register() - Find the offset of register @name ("rax", "w0", "r15") in struct pt_regs.
 * @machine: EM_386, EM_X86_64, EM_AARCH64 or EM_S390. "eax" has the offset of "rax": the machines
 * here are little endian, or have no such names. @zero: the register always reads as 0. Return:
 * false if pt_regs does not have it, as a vector register.
 */
bool sdt_register(uint16_t machine, const char *name, size_t len, uint16_t *offset, bool *zero);

/* The offset of the program counter, arch/x86/include/asm/ptrace.h. */
#define SDT_X86_IP (16 * 8)

#endif
