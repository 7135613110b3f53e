/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that the readers of ELF and BTF share with each other, and with no other room. */
#ifndef PLOAD_ELF_ELF_INTERNAL_H
#define PLOAD_ELF_ELF_INTERNAL_H

#include "elf/btf.h"
#include "elf/image.h"

/* --- ELF --- */

/*
 * No name in an object is longer, so that comparing or hashing all names of a hostile file stays
 * linear in its size.
 */
#define ELF_NAME_MAX 4096

#define ELF_HINT_DAMAGED	"the file is damaged or cut short; compile it again"

/*
 * elf_string() - the string at @off of @strtab, or NULL when it begins outside, does not end
 * inside, or is longer than ELF_NAME_MAX - 1 bytes.
 */
const char *elf_string(struct bytes strtab, uint64_t off);

/*
 * elf_strtab_check() - whether section @i can hold names: its type, and its first byte, which gABI
 * has be zero.
 */
int elf_strtab_check(const struct elf_image *image, uint32_t i, struct error *err);

/*
 * elf_section_where() - put "section 5 '.symtab'" in front of the places in @err. Returns
 * err->code.
 */
int elf_section_where(const struct elf_image *image, uint32_t i, struct error *err);

/*
 * elf_sections_parse() - fill sections, nr_sections and table, and fetch what is in those that are
 * not left out. The header has been checked before.
 */
int elf_sections_parse(struct elf_image *image, const struct source *source, struct error *err);

/* elf_symbols_parse() - fill symbols, nr_symbols and symtab. Sections have been checked before. */
int elf_symbols_parse(struct elf_image *image, struct error *err);

/*
 * elf_relocs_check() - check every entry of every relocation section. Symbols have been parsed
 * before.
 */
int elf_relocs_check(const struct elf_image *image, struct error *err);

/* --- BTF --- */

/*
 * As deep as the kernel resolves types (MAX_RESOLVE_DEPTH): modifiers in a row, arrays of arrays,
 * structs in structs.
 */
#define BTF_DEPTH_MAX 32

/* The layout of a kind, from Documentation/bpf/btf.rst section 2.2. */
struct btf_kind {
	const char *name;
	uint8_t fixed;	/* bytes after struct btf_type */
	uint8_t each;	/* bytes of each of the vlen entries that follow */
	bool sized;	/* the third word is a size */
	bool refers;	/* the third word is a type id */
	bool modifier;	/* transparent: btf_skip() goes through it */
};

/* btf_kind() - the layout of @kind, or NULL when we do not know it. */
const struct btf_kind *btf_kind(uint32_t kind);

/* btf_word() - the word at @off of the types. The caller knows that it is there. */
static inline uint32_t btf_word(const struct btf *btf, size_t off)
{
	return bytes_u32(btf->types, off, btf->swap);
}

/* btf_skip_id() - what btf_skip() gives, by its id. Modifiers in a row have been seen to end. */
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
 * btf_entry() - where the part after struct btf_type begins of type @id, which @btf holds, and with
 * @i its entry @i of @size bytes.
 */
static inline size_t btf_entry(const struct btf *btf, uint32_t id, uint32_t i, size_t size)
{
	return btf_offset(btf, id) + sizeof(struct btf_type) + i * size;
}

#endif
