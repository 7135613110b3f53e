// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Validate the relocations of a BPF object once, both SHT_REL and SHT_RELA. This is the first of
 * three steps from the file to insn.imm: elf_reloc_get() (image.h) returns an entry,
 * loader/core/object/resolve.c finds out what it refers to, and relocate.c patches the instruction.
 *
 *	 0 r_offset   offset of the field to patch, in section sh_info
 *	 8 r_info     high half: index of the symbol; low half: type, R_BPF_*
 *	16 r_addend   added to the symbol's value; SHT_RELA only; SHT_REL has it in the field
 *
 * S is the symbol's value, A the addend. With SHT_REL the field holds A, but older binutils (2.40
 * in Debian 12) writes S + A, except for section symbols:
 *
 *	lddw %r1, c + 16	S = 4:  imm = 16 (clang, newer binutils), imm = 20 (binutils 2.40)
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "elf/elf_internal.h"

#define INSN_SIZE	8u
#define SHT_CREL	0x40000014u	/* LLVM 19, -Wa,--crel: entries of variable length */

/*
 * The number of bytes that each type patches in code and in data. clang before 13 used R_BPF_64_64
 * and R_BPF_64_32 for data too; current versions write ABS64, ABS32 and NODYLD32.
 */
static const struct reloc_type {
	const char *name;
	uint8_t insn_width, data_width;
} reloc_types[] = {
	[R_BPF_NONE] = { "R_BPF_NONE", 0, 0 },
	[R_BPF_64_64] = { "R_BPF_64_64", 16, 8 },
	[R_BPF_64_ABS64] = { "R_BPF_64_ABS64", 8, 8 },
	[R_BPF_64_ABS32] = { "R_BPF_64_ABS32", 4, 4 },
	[R_BPF_64_NODYLD32] = { "R_BPF_64_NODYLD32", 4, 4 },
	[R_BPF_64_32] = { "R_BPF_64_32", 8, 4 },
	[R_BPF_DATA_32] = { "R_BPF_DATA_32", 4, 4 },
	[R_BPF_DATA_64] = { "R_BPF_DATA_64", 8, 8 },
};

static inline const struct reloc_type *reloc_type(uint32_t type)
{
	if (type >= sizeof(reloc_types) / sizeof(reloc_types[0]) || !reloc_types[type].name)
		return NULL;
	return &reloc_types[type];
}

unsigned int elf_reloc_width(uint32_t type)
{
	const struct reloc_type *t = reloc_type(type);

	return t ? t->insn_width : 0;
}

const char *elf_reloc_name(uint32_t type)
{
	const struct reloc_type *t = reloc_type(type);

	return t ? t->name : NULL;
}

bool elf_section_is_reloc(const struct elf_image *image, uint32_t i)
{
	return image->sections[i].type == SHT_REL || image->sections[i].type == SHT_RELA;
}

static inline size_t entry_size(const struct elf_section *rel)
{
	return rel->type == SHT_RELA ? sizeof(struct elf64_rela) : sizeof(struct elf64_rel);
}

uint32_t elf_reloc_count(const struct elf_image *image, uint32_t section)
{
	const struct elf_section *rel = &image->sections[section];

	return rel->left_out ? 0 : rel->size / entry_size(rel);
}

/*
 * Establishes that the table consists of whole entries, and refers to the symbol table and to a
 * section that has bytes.
 */
static int check_table(const struct elf_image *image, const struct elf_section *rel,
		       struct error *err)
{
	if (rel->entsize != entry_size(rel))
		return error_set(err, EBADMSG,
				 "a relocation has %" PRIu64 " bytes (sh_entsize), not %zu",
				 rel->entsize, entry_size(rel));
	if (rel->size % entry_size(rel))
		return error_set(err, EBADMSG, "its size 0x%" PRIx64 " is not a multiple of %zu",
				 rel->size, entry_size(rel));
	if (rel->size / entry_size(rel) > UINT32_MAX)
		return error_set(err, EBADMSG, "it has more than %" PRIu32 " relocations",
				 UINT32_MAX);
	if (!image->symtab || rel->link != image->symtab)
		return error_set(err, EBADMSG,
				 "its symbol table is section %" PRIu32
				 ", which is not the symbol table",
				 rel->link);
	if (!rel->info || rel->info >= image->nr_sections)
		return error_set(err, EBADMSG, "it relocates section %" PRIu32 " of %" PRIu32,
				 rel->info, image->nr_sections);
	if (rel->size && (image->sections[rel->info].type == SHT_NOBITS ||
			  image->sections[rel->info].type == SHT_NULL))
		return error_set(err, EBADMSG,
				 "it relocates section %" PRIu32 " '%.80s', which has no bytes",
				 rel->info, image->sections[rel->info].name);
	return 0;
}

static int unknown_type(uint32_t type, struct error *err)
{
	char known[160] = "";
	size_t n = 0;

	for (uint32_t i = 0; i < sizeof(reloc_types) / sizeof(reloc_types[0]); i++) {
		if (reloc_types[i].name && n < sizeof(known))
			n += snprintf(known + n, sizeof(known) - n, "%s%s (%" PRIu32 ")",
				      n ? ", " : "", reloc_types[i].name, i);
	}
	error_set(err, EBADMSG, "relocation type %" PRIu32 " is unknown", type);
	return error_hint(err, "known are %s", known);
}

/*
 * Establishes that the type is known, that the field is inside @target and (in code) at the start
 * of an instruction, and that the symbol exists.
 */
static inline int check_reloc(const struct elf_image *image, const struct elf_section *target,
			      const struct elf_reloc *reloc, struct error *err)
{
	const struct reloc_type *type = reloc_type(reloc->type);
	bool insn = target->flags & SHF_EXECINSTR;
	unsigned int width;

	if (!type)
		return unknown_type(reloc->type, err);
	width = insn ? type->insn_width : type->data_width;
	if (!bytes_hold(target->size, reloc->offset, width))
		return error_set(err, EBADMSG,
				 "the %u bytes of a %s are outside section '%.80s' of 0x%" PRIx64
				 " bytes",
				 width, type->name, target->name, target->size);
	if (insn && width >= INSN_SIZE && reloc->offset % INSN_SIZE)
		return error_set(err, EBADMSG,
				 "a %s is not at the start of an instruction", type->name);
	if (reloc->symbol >= image->nr_symbols)
		return error_set(err, EBADMSG, "it refers to symbol %" PRIu32 " of %" PRIu32,
				 reloc->symbol, image->nr_symbols);
	return 0;
}

/*
 * Evidence of what the toolchain put into relocated fields: A (clang, new binutils) or S + A (older
 * binutils).
 */
struct convention {
	bool from_gcc;	/* only objects from gcc are examined; all others use A */
	bool a_only;	/* an immediate is smaller than S, so it must be A */
	bool s_and_a;	/* an immediate is past the end of its variable unless it includes S */
};

static inline void look_at_imm(const struct elf_image *image, const struct elf_section *target,
			       const struct elf_reloc *reloc, struct convention *c)
{
	const struct elf_symbol *symbol = &image->symbols[reloc->symbol];
	uint32_t imm;

	if (!symbol->value || symbol->type == STT_SECTION || symbol->section == ELF_SHN_ABS ||
	    reloc->type != R_BPF_64_64 || !(target->flags & SHF_EXECINSTR))
		return;
	imm = bytes_u32(target->data, reloc->offset + sizeof(uint32_t), image->swap);
	c->a_only |= imm < symbol->value;
	c->s_and_a |= symbol->size && imm > symbol->size;
}

static bool is_from_gcc(const struct elf_image *image)
{
	const uint32_t section = elf_section_find(image, ".comment");
	const struct bytes text = image->sections[section].data;

	return section && text.size && memmem(text.data, text.size, "GCC: ", strlen("GCC: "));
}

/* If the immediates decide nothing, use e_flags: newer binutils puts the CPU version there. */
static bool has_value_in_field(const struct elf_image *image, const struct convention *c)
{
	return c->from_gcc && !c->a_only &&
	       (c->s_and_a ||
		!bytes_u32(image->header, offsetof(Elf64_Ehdr, e_flags), image->swap));
}

static int check_relocs(const struct elf_image *image, uint32_t section, struct convention *c,
			struct error *err)
{
	const struct elf_section *rel = &image->sections[section];
	const struct elf_section *target = &image->sections[rel->info];
	uint32_t nr = elf_reloc_count(image, section);

	for (uint32_t i = 0; i < nr; i++) {
		struct elf_reloc reloc = elf_reloc_get(image, section, i);
		int ret = check_reloc(image, target, &reloc, err);

		if (!ret && c->from_gcc && !reloc.has_addend)
			look_at_imm(image, target, &reloc, c);
		if (!ret)
			continue;
		error_at(err, rel->offset + i * entry_size(rel));
		error_where(err, "%.80s[%" PRIu32 "] at 0x%" PRIx64, rel->name, i, reloc.offset);
		return ret;
	}
	return 0;
}

int elf_relocs_check(struct elf_image *image, struct error *err)
{
	struct convention c = { .from_gcc = is_from_gcc(image) };

	for (uint32_t i = 1; i < image->nr_sections; i++) {
		int ret = 0;

		if (image->sections[i].type == SHT_CREL) {
			ret = error_set(err, EBADMSG,
					"its relocations are in the compact format (SHT_CREL)");
			error_hint(err, "assemble without --crel");
		} else if (elf_section_is_reloc(image, i)) {
			ret = check_table(image, &image->sections[i], err);
		} else {
			continue;
		}
		if (ret) {
			elf_section_where(image, i, err);
			return ret;
		}
		ret = check_relocs(image, i, &c, err);
		if (ret)
			return ret;
	}
	image->value_in_field = has_value_in_field(image, &c);
	return 0;
}
