/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* BTF, the type information of BPF objects and kernels, after validation. */
#ifndef PLOAD_ELF_BTF_H
#define PLOAD_ELF_BTF_H

#include <linux/btf.h>

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * All integers are in the file's byte order. Type ids number the records, starting at 1; id 0 is
 * void.
 *
 *	+-----------------+ 0
 *	| struct          |  magic 0xeb9f, version 1, flags, hdr_len
 *	|   btf_header    |  type_off, type_len, str_off, str_len: from the end of the header
 *	|                 |  layout_off, layout_len: since Linux 7.1
 *	+-----------------+ hdr_len
 *	| types           |  type 1, type 2, ... back to back, each:
 *	|                 |
 *	|                 |    name_off   offset into the strings
 *	|                 |    info       31|30       24|23                    0|
 *	|                 |               kf|   kind    |         vlen          |
 *	|                 |    size/type  bytes, or the id of another type
 *	|                 |    an additional word or struct, by kind (INT, VAR, ARRAY, ...)
 *	|                 |    vlen members, enumerators, parameters or variables
 *	+-----------------+
 *	| layouts         |  of kind 0, kind 1, ...: the number of bytes after struct btf_type,
 *	|                 |  and the size of each vlen entry
 *	+-----------------+
 *	| strings         |  "\0int\0task_struct\0..."
 *	+-----------------+
 *
 * btf_parse() establishes that a struct btf has: a known header; parts that are inside the data and
 * do not overlap; kinds that are known or have a layout; for each type, an extent, a name and
 * referenced ids in range; chains of modifiers (typedef, const, volatile, restrict, type tag) that
 * end; members inside their struct; no type that contains itself. See Documentation/bpf/btf.rst.
 */
struct btf {
	struct bytes raw;	/* borrowed: the whole section, header included */
	struct bytes types;	/* borrowed */
	struct bytes layouts;	/* borrowed; empty if there are none */
	struct bytes strings;	/* borrowed */
	bool swap;
	const struct btf *base;	/* borrowed; the base of split BTF, whose ids and string offsets
				 * this one continues; or NULL */
	uint32_t first_id;	/* the first id that is not in the base: base->nr_types, or 0 */
	uint32_t *offsets;	/* owned; offsets of records in types, by id - first_id; with
				 * @found, only of every BTF_STRIDE-th record found so far */
	struct btf_found *found;	/* owned; set for BTF that was opened or indexed, else
					 * NULL */
	uint32_t nr_types;	/* last id + 1, counting the base; for BTF that was only opened,
				 * see btf_nr_types() */
	uint32_t pointer_size;	/* in bytes: 8, as in BPF, or see btf_learn_pointers() */
};

/* The size of struct btf_header up to Linux 7.0, which has no layout fields. */
#define BTF_HEADER_PLAIN offsetof(struct btf_header, layout_off)

/*
 * The longest chain of modifiers, and the deepest nesting of arrays and structs. The kernel follows
 * at most 32 types that it has not resolved yet (MAX_RESOLVE_DEPTH).
 */
#define BTF_DEPTH_MAX 256

struct btf_type_view {
	const char *name;	/* "" if it has none */
	uint32_t id;
	uint32_t kind;		/* BTF_KIND_*; BTF_KIND_UNKN: void, or a kind newer than this
				 * reader, of which it knows only the name */
	uint32_t vlen;		/* number of members, enumerators, parameters or variables */
	bool kind_flag;
	uint32_t size;		/* in bytes: INT, ENUM, ENUM64, STRUCT, UNION, DATASEC, FLOAT; else
				 * 0 */
	uint32_t type;		/* other kinds: id of the type referred to; else 0 */
	uint32_t extra;		/* INT: encoding, offset, bits; VAR, FUNC: linkage; DECL_TAG:
				 * component index */
	uint32_t at;		/* offset of the record in the types section of its holder */
};

struct btf_member_view {
	const char *name;
	uint32_t type;
	uint32_t bit_offset;
	uint32_t bitfield_size;	/* in bits; 0: not a bit field */
};

struct btf_param_view {
	const char *name;
	uint32_t type;
};

struct btf_array_view {
	uint32_t type, index_type, nelems;
};

struct btf_enumerator_view {
	const char *name;
	uint64_t value;		/* sign-extended if the enum is signed (kind_flag) */
};

struct btf_var_view {	/* an entry of a DATASEC */
	uint32_t type;		/* id of a VAR or FUNC */
	uint32_t offset;
	uint32_t size;
};

/**
 * btf_parse() - Validate all of @raw in linear time.
 *
 * Return: 0, -EBADMSG (with the context "BTF type 7 'foo'" or "BTF header"), -ENOTSUP (newer than
 * this reader) or -ENOMEM; @btf is empty then.
 */
int btf_parse(struct btf *btf, struct bytes raw, struct error *err);
void btf_free(struct btf *btf);

/**
 * btf_open() - Validate only the header; find types on demand.
 *
 * Use it for the running kernel's BTF, which the kernel has validated. Indexing its 130,000 types
 * takes longer than the rest of a session, which looks up a few hundred near the start. An invalid
 * type counts as the end. Only the offset of every BTF_STRIDE-th record is kept. Callers must check
 * a type id with btf_has() before they use it, must expect NULL names, and must not call btf_skip()
 * or btf_size(). Return: as btf_parse().
 */
int btf_open(struct btf *btf, struct bytes raw, struct error *err);
#define BTF_STRIDE 32

/**
 * btf_index() - Like btf_open(), but also check the extent of every type. Return: as btf_parse().
 *
 * Use it for kernel modules, and for files that replace the kernel's BTF (--btf).
 */
int btf_index(struct btf *btf, struct bytes raw, struct error *err);

/*
 * btf_has() - Return true if type @id exists, here or in the base, or is 0. Searches if needed.
 * btf_nr_types() - Return the last id + 1, after finding all types.
 * btf_id_at() - Return the id of the type whose record begins at offset @at, or 0 if none does.
 * Finds all types before it. @btf must have been opened or indexed.
 */
bool btf_find_id(const struct btf *btf, uint32_t id);
static inline bool btf_has(const struct btf *btf, uint32_t id)
{
	return id < btf->nr_types || (btf->found && btf_find_id(btf, id));
}

uint32_t btf_nr_types(const struct btf *btf);
uint32_t btf_id_at(const struct btf *btf, uint32_t at);

/**
 * btf_index_split() - Like btf_index(), for split BTF such as that of kernel modules.
 * @base: borrowed; not split itself
 *
 * All functions below accept ids of either. Return: as btf_index(), or -EINVAL if @base is split or
 * has the other byte order.
 */
int btf_index_split(struct btf *btf, struct bytes raw, const struct btf *base, struct error *err);

/*
 * btf_learn_pointers() - Set pointer_size to the size of the int named "long", if that is 4 or 8
 * bytes: on a 32-bit kernel, pointers are 4 bytes.
 */
void btf_learn_pointers(struct btf *btf);

/* btf_holder() - Return whichever of @btf and its base holds type @id, which is not 0. */
static inline const struct btf *btf_holder(const struct btf *btf, uint32_t id)
{
	return id < btf->first_id ? btf->base : btf;
}

/*
 * btf_offset() - Return the offset of the record of type @id within the types of its holder @btf.
 */
size_t btf_offset_found(const struct btf *btf, uint32_t id);
static inline size_t btf_offset(const struct btf *btf, uint32_t id)
{
	return btf->found ? btf_offset_found(btf, id) : btf->offsets[id - btf->first_id];
}

/* btf_info_kind() - Return the kind encoded in @info, the second word of a type record. */
static inline uint32_t btf_info_kind(uint32_t info)
{
	const uint32_t kind = BTF_INFO_KIND(info);

	return kind < NR_BTF_KINDS ? kind : BTF_KIND_UNKN;
}

/* btf_kind_of() - Return the kind of type @id; cheaper than btf_type(). */
static inline uint32_t btf_kind_of(const struct btf *btf, uint32_t id)
{
	const struct btf *holder = btf_holder(btf, id);
	size_t at;

	if (!id)
		return BTF_KIND_UNKN;
	at = btf_offset(holder, id) + offsetof(struct btf_type, info);
	return btf_info_kind(bytes_u32(holder->types, at, holder->swap));
}

/* btf_type() - Return a copy of type @id, which must be below nr_types or known from btf_has(). */
struct btf_type_view btf_type(const struct btf *btf, uint32_t id);

/*
 * Return a copy of member, parameter, enumerator or entry @i < t->vlen, or of the array descriptor.
 */
struct btf_member_view btf_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
struct btf_array_view btf_array(const struct btf *btf, const struct btf_type_view *t);
struct btf_param_view btf_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
struct btf_enumerator_view btf_enumerator(const struct btf *btf, const struct btf_type_view *t,
					  uint32_t i);
struct btf_var_view btf_datasec_var(const struct btf *btf, const struct btf_type_view *t,
				    uint32_t i);

/*
 * btf_string() - Return the string at @off, or NULL if out of range. The base's strings come first.
 */
const char *btf_string(const struct btf *btf, uint32_t off);

/* btf_skip() - Follow typedefs and modifiers from @id; return the type they lead to. */
struct btf_type_view btf_skip(const struct btf *btf, uint32_t id);

/*
 * btf_size() - Return the size in bytes of a value of type @id, or -EINVAL if it has no size (void,
 * function, nested too deeply, overflow).
 */
int64_t btf_size(const struct btf *btf, uint32_t id);

/* btf_find() - Return the id of the first type with this kind and name, or 0. */
uint32_t btf_find(const struct btf *btf, uint32_t kind, const char *name);

/* btf_kind_name() - Return "struct", "enum64", "datasec" and so on, for messages. */
const char *btf_kind_name(uint32_t kind);

#endif
