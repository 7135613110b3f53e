/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A checked view of an ELF64 relocatable BPF object: sections, symbols, relocations. */
#ifndef PLOAD_ELF_IMAGE_H
#define PLOAD_ELF_IMAGE_H

#include <linux/elf.h>

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * Everything in here has been checked by elf_image_read(): each index is in range, each string
 * ends, each section's bytes lie in the file. Names and data are borrowed from the source.
 */
struct elf_section {
	const char *name;
	uint32_t type;		/* SHT_* */
	uint64_t flags;		/* SHF_* */
	uint64_t offset;	/* in the file */
	uint64_t size;		/* also of SHT_NOBITS, which has no bytes */
	uint32_t link;
	uint32_t info;
	uint64_t align;		/* 0 or a power of two */
	uint64_t entsize;
	struct bytes data;	/* empty for SHT_NOBITS, and when elf_section_is_left_out() */
};

struct elf_symbol {
	const char *name;	/* "" when it has none; a section symbol has its section's name */
	uint64_t value;		/* offset in its section */
	uint64_t size;
	uint32_t section;	/* index, or one of: SHN_UNDEF, ELF_SHN_ABS, ELF_SHN_COMMON */
	uint8_t bind;		/* STB_* */
	uint8_t type;		/* STT_* */
	uint8_t visibility;	/* STV_* */
};

/* Outside the range of real indices, which SHN_XINDEX extends past SHN_LORESERVE. */
#define ELF_SHN_ABS	0xfffffff1u
#define ELF_SHN_COMMON	0xfffffff2u

struct elf_reloc {
	uint64_t
		offset; /* in the section that is relocated; the field of the type lies inside it */
	uint32_t type;		/* R_BPF_* */
	uint32_t symbol;	/* index into symbols; 0 is the undefined symbol */
	int64_t addend;		/* RELA only; REL keeps it in the place */
	bool has_addend;
};

struct elf_image {
	struct bytes header, table;	/* borrowed; as they stand in the file: ELF, sections */
	bool big_endian;
	bool swap;		/* of the other byte order than this machine */
	struct elf_section *sections;	/* owned; [0] is the null section */
	uint32_t nr_sections;
	struct elf_symbol *symbols;	/* owned; [0] is the null symbol */
	uint32_t nr_symbols;
	uint32_t symtab;	/* index of the SHT_SYMTAB section, 0 if there is none */
};

/*
 * elf_image_read() - check what loaders need of the file behind @source, fetching no more of it,
 * and fill @image with views into that. The source outlives the image. elf_image_parse(): the same
 * of a file that is in memory.
 *
 * Takes ELF64, ET_REL, e_machine EM_BPF (or EM_NONE, which clang before 3.9 wrote), either byte
 * order. Fails with ENOEXEC (not ELF, or of a wrong class, type, machine or version: where "ELF
 * header") or EBADMSG (a broken table, place named as "section 5 '.symtab'", "symbol 3 'x'",
 * ".relfoo[2] at 0x10") or ENOMEM, and as the source. On failure @image is empty.
 *
 * Source: System V ABI, chapters 4 and 5 (gABI); LLVM BPF relocation types.
 */
int elf_image_read(struct elf_image *image, const struct source *source, struct error *err);
int elf_image_parse(struct elf_image *image, struct bytes file, struct error *err);

/* elf_image_free() - give back what elf_image_read() allocated; not the file's bytes. */
void elf_image_free(struct elf_image *image);

/* elf_section_find() - index of the first section with that name, or 0. */
uint32_t elf_section_find(const struct elf_image *image, const char *name);

/*
 * elf_section_is_reloc() - whether section @i is SHT_REL or SHT_RELA. It relocates section .info.
 */
bool elf_section_is_reloc(const struct elf_image *image, uint32_t i);

/*
 * elf_section_is_debug() - whether section @i is for debuggers alone (.debug_*, or compressed).
 * elf_section_is_left_out() - the same, or relocations of such a section or of .BTF.ext: it is
 * never fetched, and has no data here.
 */
bool elf_section_is_debug(const struct elf_image *image, uint32_t i);
bool elf_section_is_left_out(const struct elf_image *image, uint32_t i);

/*
 * elf_reloc_count() - how many entries relocation section @section has; 0 when it is left out:
 * those entries are not checked either.
 */
uint32_t elf_reloc_count(const struct elf_image *image, uint32_t section);

/*
 * elf_reloc_get() - entry @i of relocation section @section, in this machine's byte order. Inline:
 * in a large object there are tens of thousands.
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
 * elf_reloc_width() - bytes that relocation @type patches (16 for R_BPF_64_64 on an instruction
 * pair), 0 if unknown.
 */
unsigned int elf_reloc_width(uint32_t type);

/* elf_reloc_name() - "R_BPF_64_64" and so on, or NULL if unknown. */
const char *elf_reloc_name(uint32_t type);

#endif
