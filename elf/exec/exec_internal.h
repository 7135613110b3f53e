/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files that read executables share with nobody else. */
#ifndef PLOAD_ELF_EXEC_EXEC_INTERNAL_H
#define PLOAD_ELF_EXEC_EXEC_INTERNAL_H

#include "elf/exec/exec.h"
#include "elf/elf_internal.h"

/* Where a field is in the structs of ELF32 and ELF64, and how many bytes it has. */
struct exec_field {
	uint8_t offset[2], size[2];
};

#define EXEC_SIZEOF(type, member) sizeof(((type *)0)->member)
#define EXEC_FIELD(type, member) \
	((struct exec_field){ \
		{ offsetof(Elf32_##type, member), offsetof(Elf64_##type, member) }, \
		{ EXEC_SIZEOF(Elf32_##type, member), EXEC_SIZEOF(Elf64_##type, member) } })

/* How large a struct is there. */
#define EXEC_SIZE(x, type) ((x)->is_64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

/* exec_get() - @field of the struct that begins at @at; the caller has checked that it is there. */
uint64_t exec_get(const struct exec *x, struct bytes bytes, uint64_t at, struct exec_field field);

/* exec_bytes() - @len bytes at @off of the file. EBADMSG where it ends before. */
int exec_bytes(const struct exec *x, uint64_t off, uint64_t len, struct bytes *out,
	       struct error *err);

/*
 * exec_loaded_bytes() - the same by address: @len bytes, or with 0 those to the end of the segment,
 * of which EXEC_TABLE_MAX do for every table that does not say how long it is.
 */
#define EXEC_TABLE_MAX (16u << 20)
int exec_loaded_bytes(const struct exec *x, uint64_t address, uint64_t len, struct bytes *out,
		      struct error *err);

/*
 * exec_dynamic() - fill dynsym and the names of versions by PT_DYNAMIC alone. As
 * exec_read_symbols().
 */
int exec_dynamic(struct exec *x, struct error *err);

/* exec_dynamic_value() - entry number @nth with tag @tag of PT_DYNAMIC; false: there is none. */
bool exec_dynamic_value(const struct exec *x, int64_t tag, uint32_t nth, uint64_t *value);

/*
 * exec_read_versions() - the names of versions from @defs, a chain of Elf64_Verdef, which lie in
 * @names. EBADMSG.
 */
int exec_read_versions(struct exec *x, struct bytes defs, struct bytes names, struct error *err);

#endif
