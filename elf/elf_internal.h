/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions shared only among the readers of ELF and BTF. */
#ifndef PLOAD_ELF_ELF_INTERNAL_H
#define PLOAD_ELF_ELF_INTERNAL_H

#include "elf/btf.h"
#include "elf/image.h"

/* --- ELF --- */

/*
 * Longer names are rejected, so that comparing or hashing all names of a hostile file takes linear
 * time.
 */
#define ELF_NAME_MAX 4096

#define ELF_HINT_DAMAGED	"the file is damaged or truncated; compile it again"

/*
 * elf_string() - Like bytes_string(), but also NULL if the string has ELF_NAME_MAX bytes or more.
 */
const char *elf_string(struct bytes strtab, uint64_t off);

/*
 * elf_strtab_check() - Return -EBADMSG unless section @i is SHT_STRTAB and begins with a zero byte.
 */
int elf_strtab_check(const struct elf_image *image, uint32_t i, struct error *err);

/* elf_section_where() - Add the context "section 5 '.symtab'". Return: err->code. */
int elf_section_where(const struct elf_image *image, uint32_t i, struct error *err);

/*
 * elf_sections_parse() - Fill in sections and table, and read all sections not left out. The ELF
 * header must have been checked.
 */
int elf_sections_parse(struct elf_image *image, const struct source *source, struct error *err);

/* elf_symbols_parse() - Fill in symbols and symtab. Sections must have been checked. */
int elf_symbols_parse(struct elf_image *image, struct error *err);

/*
 * elf_relocs_check() - Check each entry of each relocation section, and set image->value_in_field.
 * Symbols must have been checked.
 */
int elf_relocs_check(struct elf_image *image, struct error *err);

/* --- BTF --- */

/* The layout of a kind of type (Documentation/bpf/btf.rst, section 2.2). */
struct btf_kind {
	const char *name;
	uint8_t fixed;	/* bytes after struct btf_type */
	uint8_t each;	/* bytes of each of the vlen entries that follow */
	bool sized;	/* the third word is a size */
	bool refers;	/* the third word is a type id */
	bool modifier;	/* a value of it is a value of the referenced type */
	bool names;	/* an entry begins with a name */
	uint8_t typed;	/* 1 + offset of the type id in an entry; 0: entries have none */
};

/* btf_kind() - Return the layout of @kind; NULL: unknown. */
const struct btf_kind *btf_kind(uint32_t kind);

/*
 * btf_index_all() - Like btf_index(), but keep the offset of every record, for BTF that is then
 * validated.
 */
int btf_index_all(struct btf *btf, struct bytes raw, struct error *err);

/* btf_word() - Return the word at offset @off of the types. The caller has checked @off. */
static inline uint32_t btf_word(const struct btf *btf, size_t off)
{
	return bytes_u32(btf->types, off, btf->swap);
}

/* btf_skip_id() - Like btf_skip(), but return the id. Chains of modifiers must be known to end. */
static inline uint32_t btf_skip_id(const struct btf *btf, uint32_t id)
{
	uint32_t kind;

	while ((kind = btf_kind_of(btf, id)) && btf_kind(kind)->modifier) {
		const struct btf *holder = btf_holder(btf, id);

		id = btf_word(holder, btf_offset(holder, id) + offsetof(struct btf_type, type));
	}
	return id;
}

/*
 * btf_entry() - Return the offset of entry @i, each @size bytes long, after the struct btf_type of
 * @t.
 */
static inline size_t btf_entry(const struct btf_type_view *t, uint32_t i, size_t size)
{
	return t->at + sizeof(struct btf_type) + i * size;
}

#endif
