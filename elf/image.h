/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A BPF object file (ELF64, ET_REL) after validation: its sections, symbols and relocations.
 *
 *	+--------------------+  offset 0
 *	| ELF header         |  e_shoff: where the section headers are     image.c
 *	+--------------------+
 *	| bytes of sections  |  .text, .data, .BTF, .symtab, .strtab, ...
 *	+--------------------+  e_shoff
 *	| section header [0] |  name, type, offset and size of a section   sections.c
 *	| section header [1] |
 *	| ...                |  SHT_SYMTAB: symbols                        symbols.c
 *	+--------------------+  SHT_REL, SHT_RELA: relocations             relocs.c
 */
#ifndef PLOAD_ELF_IMAGE_H
#define PLOAD_ELF_IMAGE_H

#include <linux/elf.h>

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * elf_image_read() has checked that each index is in range, each string is terminated, and the
 * bytes of each section are inside the file. Names and data are borrowed from the source.
 */
struct elf_section {
	const char *name;
	uint32_t type;		/* SHT_* */
	bool left_out;		/* not read, because no loader needs it: debug information, or
				 * relocations of that or of .BTF.ext */
	uint64_t flags;		/* SHF_* */
	uint64_t offset;	/* in the file */
	uint64_t size;		/* in bytes; SHT_NOBITS occupies none in the file */
	uint32_t link;		/* index of an associated section: SHT_SYMTAB: its string table */
	uint32_t info;		/* SHT_REL, SHT_RELA: index of the relocated section */
	uint64_t align;		/* 0 or a power of two */
	uint64_t entsize;	/* size of an entry if the section is a table */
	struct bytes data;	/* empty for SHT_NOBITS and if left_out */
};

struct elf_symbol {
	const char *name;	/* "" if none; a section symbol has its section's name */
	uint64_t value;		/* offset in its section */
	uint64_t size;
	uint32_t section;	/* index, or SHN_UNDEF, ELF_SHN_ABS, ELF_SHN_COMMON */
	uint8_t bind;		/* STB_* */
	uint8_t type;		/* STT_* */
	uint8_t visibility;	/* STV_* */
};

/* Larger than any real index, which SHN_XINDEX lets exceed SHN_LORESERVE. */
#define ELF_SHN_ABS	0xfffffff1u
#define ELF_SHN_COMMON	0xfffffff2u

struct elf_reloc {
	uint64_t offset;	/* start of the field to patch in the relocated section */
	uint32_t type;		/* R_BPF_* */
	uint32_t symbol;	/* index into symbols; 0: the undefined symbol */
	int64_t addend;		/* SHT_RELA only; SHT_REL has it in the field itself */
	bool has_addend;
};

struct elf_image {
	struct bytes header, table;	/* borrowed; the ELF header and the section headers */
	bool big_endian;
	bool swap;		/* not in native byte order */
	struct elf_section *sections;	/* owned; [0] is the null section */
	uint32_t nr_sections;
	struct elf_symbol *symbols;	/* owned; [0] is the null symbol */
	uint32_t nr_symbols;
	uint32_t symtab;	/* index of the SHT_SYMTAB section; 0: none */
	bool value_in_field;	/* SHT_REL: fields hold S + A instead of A; see relocs.c */
};

/**
 * elf_image_read() - Validate a BPF object and describe it in @image.
 * @source: borrowed; must outlive the image. Sections that no loader needs are not read
 *
 * Accepts ELF64, ET_REL, EM_BPF (or EM_NONE, as clang before 3.9 wrote) and either byte order.
 * Return: 0, -ENOEXEC (no ELF file, or not a BPF object), -EBADMSG (damaged; the context is
 * "section 5 '.symtab'", "symbol 3 'x'" or ".relfoo[2] at 0x10"), -ENOMEM, or the error of the
 * source; @image is empty then. See the System V ABI (gABI), chapters 4 and 5.
 */
int elf_image_read(struct elf_image *image, const struct source *source, struct error *err);
/* elf_image_parse() - Like elf_image_read(), for a file in memory. */
int elf_image_parse(struct elf_image *image, struct bytes file, struct error *err);
void elf_image_free(struct elf_image *image);

/* elf_section_find() - Return the index of the first section called @name, or 0. */
uint32_t elf_section_find(const struct elf_image *image, const char *name);

/* elf_section_is_reloc() - Return true if section @i is SHT_REL or SHT_RELA. */
bool elf_section_is_reloc(const struct elf_image *image, uint32_t i);

/*
 * elf_reloc_count() - Return the number of entries of a relocation section; 0 if it was left out.
 */
uint32_t elf_reloc_count(const struct elf_image *image, uint32_t section);

/*
 * elf_reloc_get() - Return entry @i of a relocation section. Inline: an object may have tens of
 * thousands.
 */
static inline struct elf_reloc elf_reloc_get(const struct elf_image *image, uint32_t section,
					     uint32_t i)
{
	const struct elf_section *rel = &image->sections[section];
	const bool rela = rel->type == SHT_RELA;
	const size_t at = i * (rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
	const uint64_t info = bytes_u64(rel->data, at + offsetof(Elf64_Rel, r_info),
					image->swap);

	return (struct elf_reloc){
		.offset = bytes_u64(rel->data, at + offsetof(Elf64_Rel, r_offset),
				    image->swap),
		.type = ELF64_R_TYPE(info),
		.symbol = ELF64_R_SYM(info),
		.addend = rela ? (int64_t)bytes_u64(rel->data,
						    at + offsetof(Elf64_Rela, r_addend),
						    image->swap) : 0,
		.has_addend = rela,
	};
}

/*
 * elf_reloc_base() - Return S, the value of the symbol, or 0 if the relocated field already
 * includes it. The caller adds the addend from the relocation or from the field.
 */
static inline uint64_t elf_reloc_base(const struct elf_image *image, const struct elf_reloc *reloc)
{
	const struct elf_symbol *symbol = &image->symbols[reloc->symbol];

	return image->value_in_field && !reloc->has_addend && symbol->type != STT_SECTION ?
		       0 : symbol->value;
}

/*
 * elf_reloc_width() - Return the number of code bytes that a relocation type patches; 0 if unknown.
 * elf_reloc_name() - Return "R_BPF_64_64" and so on; NULL: unknown.
 */
unsigned int elf_reloc_width(uint32_t type);
const char *elf_reloc_name(uint32_t type);

#endif
