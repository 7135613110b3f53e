/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions shared among the readers of executables. */
#ifndef PLOAD_ELF_EXEC_EXEC_INTERNAL_H
#define PLOAD_ELF_EXEC_EXEC_INTERNAL_H

#include "elf/exec/exec.h"
#include "elf/elf_internal.h"
#include "elf/exec/usdt_notes.h"

/* The offset and size of a field, in ELF32 and in ELF64. */
struct exec_field {
	uint8_t offset[2], size[2];
};

#define EXEC_SIZEOF(type, member) sizeof(((type *)0)->member)
#define EXEC_FIELD(type, member) \
	((struct exec_field){ \
		{ offsetof(Elf32_##type, member), offsetof(Elf64_##type, member) }, \
		{ EXEC_SIZEOF(Elf32_##type, member), EXEC_SIZEOF(Elf64_##type, member) } })

/* The size of a struct in the class of @x. */
#define EXEC_SIZE(x, type) ((x)->is_64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

/* exec_get() - Return @field of the struct at @at. The caller has checked the bounds. */
uint64_t exec_get(const struct exec *x, struct bytes bytes, uint64_t at, struct exec_field field);

/* exec_bytes() - Read @len bytes at @off of the file; -EBADMSG if it is shorter. */
int exec_bytes(const struct exec *x, uint64_t off, uint64_t len, struct bytes *out,
	       struct error *err);

/*
 * exec_loaded_bytes() - Like exec_bytes(), but by address. @len 0 means to the end of the segment,
 * for tables of unknown size; at most EXEC_TABLE_MAX bytes.
 */
#define EXEC_TABLE_MAX (16u << 20)
int exec_loaded_bytes(const struct exec *x, uint64_t address, uint64_t len, struct bytes *out,
		      struct error *err);

/* exec_dynamic() - Like exec_read_symbols(), but only for .dynsym and only through PT_DYNAMIC. */
int exec_dynamic(struct exec *x, struct error *err);

/*
 * exec_read_versions() - Read the names of versions from @defs, a chain of Elf64_Verdef, and
 * @names. Return: 0, -EBADMSG or -ENOMEM.
 */
int exec_read_versions(struct exec *x, struct bytes defs, struct bytes names, struct error *err);

/* --- usdt_regs.c --- */

/*
 * sdt_register() - Find the offset of register @name ("rax", "w0", "r15") in struct pt_regs.
 * @machine: EM_386, EM_X86_64, EM_AARCH64 or EM_S390. "eax" has the offset of "rax", because these
 * machines are little endian or have no such names. @zero: the register always reads as 0. Return:
 * false if pt_regs lacks it (a vector register, for example).
 */
bool sdt_register(uint16_t machine, const char *name, size_t len, uint16_t *offset, bool *zero);

/* The offset of the program counter, arch/x86/include/asm/ptrace.h. */
#define SDT_X86_IP (16 * 8)

#endif
