/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* BTF, the type information of BPF objects and kernels, after it has been checked. */
#ifndef PLOAD_ELF_BTF_H
#define PLOAD_ELF_BTF_H

#include <linux/btf.h>

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * All integers have the byte order of the file. Ids count the records, from 1; 0 is void.
 *
 *	+-----------------+ 0
 *	| struct          |  magic 0xeb9f, version 1, flags, hdr_len
 *	|   btf_header    |  type_off, type_len, str_off, str_len: from the end of the header
 *	|                 |  layout_off, layout_len: since Linux 7.1
 *	+-----------------+ hdr_len
 *	| types           |  type 1, type 2, ... one after the other, each:
 *	|                 |
 *	|                 |    name_off   offset into the strings
 *	|                 |    info       31|30       24|23                    0|
 *	|                 |               kf|   kind    |         vlen          |
 *	|                 |    size/type  bytes, or the id of another type
 *	|                 |    an additional word or struct, by kind (INT, VAR, ARRAY, ...)
 *	|                 |    vlen members, enumerators, parameters or variables
 *	+-----------------+
 *	| layouts         |  of kind 0, kind 1, ...: how many bytes follow struct btf_type, and
 *	|                 |  how many each of the vlen entries has
 *	+-----------------+
 *	| strings         |  "\0int\0task_struct\0..."
 *	+-----------------+
 *
 * btf_parse() establishes that a struct btf has: a known header; parts that lie in the data and do
 * not overlap; kinds that are known here or have a layout; for each type its extent, its name and
 * the ids it refers to in range; chains of modifiers (typedef, const, volatile, restrict, type tag)
 * that end; members that lie in their struct; types that do not contain themselves. See
 * Documentation/bpf/btf.rst.
 */
struct btf {
	struct bytes raw;	/* borrowed: all of it, with the header */
	struct bytes types;	/* borrowed */
	struct bytes layouts;	/* borrowed; empty if there are none */
	struct bytes strings;	/* borrowed */
	bool swap;
	const struct btf *base;	/* borrowed; of split BTF, whose ids and string offsets continue
				 * those of its base; or NULL */
	uint32_t first_id;	/* the first id of its own: base->nr_types, or 0 */
	uint32_t *offsets;	/* owned; of records in types; by id - first_id; or, with @found,
				 * of each BTF_STRIDE-th record that was found */
	struct btf_found *found;	/* owned; of BTF that was opened or indexed, else NULL */
	uint32_t nr_types;	/* the last id + 1, ids of the base included; for BTF that was only
				 * opened: see btf_nr_types() */
	uint32_t pointer_size;	/* in bytes: 8, as in BPF, or see btf_learn_pointers() */
};

/* The size of struct btf_header until Linux 7.0: without the fields of the layouts. */
#define BTF_HEADER_PLAIN offsetof(struct btf_header, layout_off)

/*
 * The longest chain of modifiers, and the deepest nesting of arrays and structs. The kernel follows
 * 32 types that it has not met before (MAX_RESOLVE_DEPTH), and any number of others.
 */
#define BTF_DEPTH_MAX 256

struct btf_type_view {
	const char *name;	/* "" if it has none */
	uint32_t id;
	uint32_t kind;		/* BTF_KIND_*; BTF_KIND_UNKN: void, or of a kind that is newer than
				 * this reader, of which only the name is known */
	uint32_t vlen;		/* number of members, enumerators, parameters or variables */
	bool kind_flag;
	uint32_t size;		/* in bytes: INT, ENUM, ENUM64, STRUCT, UNION, DATASEC, FLOAT; else
				 * 0 */
	uint32_t type;		/* other kinds: id of the type that it refers to; else 0 */
	uint32_t extra;		/* INT: encoding, offset, bits; VAR, FUNC: linkage; DECL_TAG:
				 * component index */
	uint32_t at;		/* offset of the record in the types of its holder */
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
 * btf_parse() - Check all of @raw, in time linear in its size.
 *
 * Return: 0, -EBADMSG (with the context "BTF type 7 'foo'" or "BTF header"), -ENOTSUP (newer than
 * what is known here) or -ENOMEM; @btf is empty then.
 */
int btf_parse(struct btf *btf, struct bytes raw, struct error *err);
void btf_free(struct btf *btf);

/**
 * btf_open() - Check only the header. Types are found when they are asked for.
 *
 * For the BTF of the running kernel, which has checked it itself: finding all of its 130,000 types
 * takes longer than the rest of a session, which asks for a few hundred near the beginning. A type
 * that is not valid is taken for the end. The offset of each BTF_STRIDE-th record is kept. The
 * caller asks btf_has() before it uses a type id; names may be NULL; btf_skip() and btf_size() must
 * not be used.
 * Return: as btf_parse().
 */
int btf_open(struct btf *btf, struct bytes raw, struct error *err);
#define BTF_STRIDE 32

/**
 * btf_index() - As btf_open(), and check the extent of each type. Return: as btf_parse().
 *
 * For BTF of kernel modules, and of files that stand for a kernel's (--btf).
 */
int btf_index(struct btf *btf, struct bytes raw, struct error *err);

/*
 * btf_has() - Return true if there is a type @id, in the base or its own; or 0. Finds it first.
 * btf_nr_types() - Return the number after the last id. Finds all types first.
 * btf_id_at() - Return the id of the type whose record begins at offset @at of the types; 0: none
 *	does. Finds those before it first. The BTF was opened or indexed.
 */
bool btf_find_id(const struct btf *btf, uint32_t id);
static inline bool btf_has(const struct btf *btf, uint32_t id)
{
	return id < btf->nr_types || (btf->found && btf_find_id(btf, id));
}

uint32_t btf_nr_types(const struct btf *btf);
uint32_t btf_id_at(const struct btf *btf, uint32_t at);

/**
 * btf_index_split() - As btf_index(), for split BTF, as kernel modules have it.
 * @base: borrowed; not split itself
 *
 * All functions below then accept the ids of both.
 * Return: as btf_index(), and -EINVAL if @base is split or has the other byte order.
 */
int btf_index_split(struct btf *btf, struct bytes raw, const struct btf *base, struct error *err);

/*
 * btf_learn_pointers() - Set pointer_size to the size of long, if an int of that name has 4 or 8
 * bytes: a 32-bit kernel has pointers of 4 bytes.
 */
void btf_learn_pointers(struct btf *btf);

/* btf_holder() - Return @btf or its base, whichever has type @id; @id is not 0. */
static inline const struct btf *btf_holder(const struct btf *btf, uint32_t id)
{
	return id < btf->first_id ? btf->base : btf;
}

/* btf_offset() - Return the offset of type @id in the types of its holder @btf. */
size_t btf_offset_found(const struct btf *btf, uint32_t id);
static inline size_t btf_offset(const struct btf *btf, uint32_t id)
{
	return btf->found ? btf_offset_found(btf, id) : btf->offsets[id - btf->first_id];
}

/* btf_info_kind() - Return the kind in @info, the second word of a type, as in a view. */
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

/* btf_type() - Return a copy of type @id, which is below nr_types or which btf_has() found. */
struct btf_type_view btf_type(const struct btf *btf, uint32_t id);

/*
 * Return a copy of member, parameter, enumerator or entry @i, which is below t->vlen, or of the
 * array.
 */
struct btf_member_view btf_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
struct btf_array_view btf_array(const struct btf *btf, const struct btf_type_view *t);
struct btf_param_view btf_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
struct btf_enumerator_view btf_enumerator(const struct btf *btf, const struct btf_type_view *t,
					  uint32_t i);
struct btf_var_view btf_datasec_var(const struct btf *btf, const struct btf_type_view *t,
				    uint32_t i);

/* btf_string() - Return the string at @off, the base's strings first; NULL: out of range. */
const char *btf_string(const struct btf *btf, uint32_t off);

/* btf_skip() - Return the first type from @id on that is neither a typedef nor a modifier. */
struct btf_type_view btf_skip(const struct btf *btf, uint32_t id);

/*
 * btf_size() - Return the size in bytes of a value of type @id, or -EINVAL if there is none (void,
 * function, nested too deeply, overflow).
 */
int64_t btf_size(const struct btf *btf, uint32_t id);

/* btf_find() - Return the id of the first type of that kind and name, or 0. */
uint32_t btf_find(const struct btf *btf, uint32_t kind, const char *name);

/* btf_kind_name() - Return "struct", "enum64", "datasec" and so on, for messages. */
const char *btf_kind_name(uint32_t kind);

#endif
