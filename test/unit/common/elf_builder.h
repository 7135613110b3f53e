/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes valid ELF64 BPF objects of either byte order, for tests to read, load, and break. */
#ifndef PLOAD_TEST_UNIT_ELF_BUILDER_H
#define PLOAD_TEST_UNIT_ELF_BUILDER_H

#include <linux/elf.h>

#include "test/unit/common/buffer.h"

/*
 * Set the flags before the first call. Section and symbol indices are given out in the order of the
 * calls, from 1; .symtab, .strtab and .shstrtab (and .symtab_shndx) come last. Nothing is freed
 * before eb_finish().
 */
struct elf_builder {
	bool foreign;	/* of the byte order that this machine has not */
	bool rela;	/* relocations with addends in them */
	bool names_first;	/* .shstrtab before .symtab */
	bool extended;	/* counts in section 0, and SHN_XINDEX, even where not needed */
	struct eb_section {
		const char *name;
		struct elf64_shdr hdr;
		struct buffer data;
		uint32_t relocs;	/* index of the section that relocates this one, or 0 */
	} *sections;
	struct eb_symbol {
		const char *name;
		struct elf64_sym sym;
		uint32_t section;
	} *symbols;
	uint32_t nr_sections, nr_symbols;
};

static inline bool eb_big_endian(const struct elf_builder *b)
{
	return b->foreign != HOST_BIG_ENDIAN;
}

/*
 * eb_section() - add a section; @data may be NULL (zeroes). Names are borrowed until eb_finish().
 * Gives its index.
 */
uint32_t eb_section(struct elf_builder *b, const char *name, uint32_t type, uint64_t flags,
		    const void *data, size_t size);

/*
 * eb_prog(), eb_data() - an empty section of instructions; a section of data that is SHF_ALLOC |
 * SHF_WRITE.
 */
uint32_t eb_prog(struct elf_builder *b, const char *name);
uint32_t eb_data(struct elf_builder *b, const char *name, const void *data, size_t size);

/*
 * eb_insn() - append an instruction to @section, registers in the byte order's nibbles. Gives its
 * offset.
 */
size_t eb_insn(struct elf_builder *b, uint32_t section, uint8_t code, uint8_t dst, uint8_t src,
	       int16_t off, int32_t imm);

/*
 * eb_ld_imm64(), eb_call(), eb_exit() - the instructions that relocations are about, and the one
 * that ends a program.
 */
size_t eb_ld_imm64(struct elf_builder *b, uint32_t section, uint8_t dst, uint8_t src, uint64_t imm);
size_t eb_call(struct elf_builder *b, uint32_t section, uint8_t src, int32_t imm);
size_t eb_exit(struct elf_builder *b, uint32_t section);

/*
 * eb_symbol() - add a symbol; locals come before globals. @section may be SHN_UNDEF, SHN_ABS,
 * SHN_COMMON.
 */
uint32_t eb_symbol(struct elf_builder *b, const char *name, uint32_t section, uint64_t value,
		   uint64_t size, uint8_t bind, uint8_t type);

/*
 * eb_reloc() - relocate @section at @offset; .rel@section is made when first needed. Without rela,
 * @addend must be 0.
 */
void eb_reloc(struct elf_builder *b, uint32_t section, uint64_t offset, uint32_t type,
	      uint32_t symbol, int64_t addend);

/*
 * eb_finish() - the object, which the caller frees; @b is empty afterwards. eb_write() leaves @b as
 * it is, complete, for eb_free().
 */
struct buffer eb_finish(struct elf_builder *b);
struct buffer eb_write(struct elf_builder *b);
void eb_free(struct elf_builder *b);

/*
 * eb_shdr(), eb_content() - where in the finished @object section @i's header is, and where its
 * bytes are.
 */
size_t eb_shdr(const struct buffer *object, uint32_t i);
size_t eb_content(const struct buffer *object, uint32_t i);

#endif
