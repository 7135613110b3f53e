/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the parts of the BTF reader (btf.c, btf_index.c, btf_check.c) share with nobody else. */
#ifndef PLOAD_ELF_ELF_INTERNAL_H
#define PLOAD_ELF_ELF_INTERNAL_H

#include "elf/btf.h"

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
