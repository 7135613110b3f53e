/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of an ELF64 file that may be damaged. elf_image_read() establishes that an object can
 * be used; this reader refuses nothing, and omits what lies outside the file.
 */
#ifndef PLOAD_TOOLS_INSPECT_RAW_ELF_H
#define PLOAD_TOOLS_INSPECT_RAW_ELF_H

#include <linux/elf.h>

#include "elf/bytes.h"

struct raw_section {
	const char *name;	/* borrowed; "" if there is none */
	uint64_t header_at;	/* offset of its header in the file */
	uint32_t type, link, info;
	uint64_t flags, addr, offset, size, align, entsize;
	struct bytes data;	/* borrowed; those of its bytes that are inside the file */
};

struct raw_elf {
	struct bytes file;	/* borrowed */
	bool has_header;	/* the file starts with an ELF64 header */
	bool big_endian, swap;
	struct raw_section *sections;	/* owned */
	uint32_t nr_sections;	/* those whose headers are inside the file */
	uint32_t symtab;	/* index of the first SHT_SYMTAB; 0: none */
	uint32_t shndx;		/* the same for SHT_SYMTAB_SHNDX */
};

/* raw_elf_read() - Return false if there is no memory; @elf is empty then. */
bool raw_elf_read(struct raw_elf *elf, struct bytes file);
void raw_elf_free(struct raw_elf *elf);

/* raw_string() - Return the string at @off of section @i, or "" if it does not end there. */
const char *raw_string(const struct raw_elf *elf, uint32_t i, uint32_t off);

/* raw_section_name() - Return the name of section @i, or "". */
const char *raw_section_name(const struct raw_elf *elf, uint32_t i);

/* raw_find() - Return the first section of that name, or NULL. */
const struct raw_section *raw_find(const struct raw_elf *elf, const char *name);

struct raw_symbol {
	const char *name;	/* borrowed; for a section symbol, the name of its section */
	uint32_t section;	/* st_shndx, or the index from SHT_SYMTAB_SHNDX */
	bool is_reserved;	/* SHN_ABS, SHN_COMMON and other special values of st_shndx */
	uint8_t type, bind, visibility;
	uint64_t value, size;
};

/* raw_nr_symbols() - Return the number of symbols inside the file. */
uint32_t raw_nr_symbols(const struct raw_elf *elf);

/* raw_symbol() - Return symbol @i, or an unnamed one if it does not exist. */
struct raw_symbol raw_symbol(const struct raw_elf *elf, uint32_t i);

/* raw_nr_relocs() - Return the number of relocations in @sec that are inside the file. */
uint32_t raw_nr_relocs(const struct raw_section *sec);

struct raw_reloc {
	uint64_t offset;
	uint32_t type, symbol;
	bool has_addend;
	int64_t addend;
};

/* raw_reloc() - Return relocation @i, which is below raw_nr_relocs(). */
struct raw_reloc raw_reloc(const struct raw_elf *elf, const struct raw_section *sec, uint32_t i);

#endif
