/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A checked view of BTF, the type information of BPF objects and kernels. */
#ifndef PLOAD_ELF_BTF_H
#define PLOAD_ELF_BTF_H

#include <linux/btf.h>

#include "elf/bytes.h"
#include "elf/error.h"

/*
 * btf_parse() has checked: header, every type's extent, every name's offset, every type id, vlen,
 * and that following modifiers (typedef, const, volatile, restrict, type tag) ends. Type id 0 is
 * void.
 */
struct btf {
	struct bytes raw;	/* borrowed: the whole of it, header included */
	struct bytes types;	/* borrowed */
	struct bytes strings;	/* borrowed */
	bool swap;
	const struct btf *base;	/* borrowed; split BTF goes on where this one ends. NULL: whole */
	uint32_t first_id;	/* of its own types: base->nr_types, or 0 */
	uint32_t *offsets;	/* owned; offset in types of each id from first_id on; void has
				 * none */
	uint32_t nr_types;	/* ids are 0 .. nr_types - 1, those of base included */
	uint32_t pointer_size;	/* bytes: 8 as in BPF, or base's, or see btf_learn_pointers() */
};

struct btf_type_view {
	const char *name;	/* "" when it has none */
	uint32_t id;
	uint32_t kind;		/* BTF_KIND_*; BTF_KIND_UNKN for void */
	uint32_t vlen;		/* members, enumerators, parameters or variables */
	bool kind_flag;
	uint32_t size;		/* INT, ENUM, ENUM64, STRUCT, UNION, DATASEC, FLOAT; else 0 */
	uint32_t type;		/* the others: the type referred to; else 0 */
	uint32_t extra;		/* INT: its u32; VAR, FUNC: linkage; DECL_TAG: component */
};

struct btf_member_view {
	const char *name;
	uint32_t type;
	uint32_t bit_offset;
	uint32_t bitfield_size;	/* bits, 0: not a bit field */
};

struct btf_array_view {
	uint32_t type, index_type, nelems;
};

struct btf_enumerator_view {
	const char *name;
	uint64_t value;		/* sign-extended when the enum is signed (kind_flag) */
};

struct btf_var_view {	/* an entry of a DATASEC */
	uint32_t type;		/* id of a VAR (or FUNC) */
	uint32_t offset;
	uint32_t size;
};

/*
 * btf_parse() - check @raw whole. Fails with EBADMSG and a place like "BTF type 7 'foo'" or "BTF
 * header", or ENOMEM. On failure @btf is empty. Source: Documentation/bpf/btf.rst,
 * include/uapi/linux/btf.h.
 */
int btf_parse(struct btf *btf, struct bytes raw, struct error *err);
void btf_free(struct btf *btf);

/*
 * btf_index() - only the header and where each type lies: for BTF too large to be checked whole
 * each time, as the kernel's. Who uses it looks at every type id before giving it to the functions
 * below; btf_skip(), btf_size() are not for it, and names may be NULL. Fails as btf_parse() does.
 */
int btf_index(struct btf *btf, struct bytes raw, struct error *err);

/* Somebody who wants to see each type of some kinds when it is found. */
struct btf_visitor {
	uint32_t kinds;		/* a bit 1 << BTF_KIND_* for each */
	/* @id has the highest id so far: it and those below may be looked at. */
	void (*visit)(void *arg, const struct btf *btf, uint32_t id);
	void *arg;
};

/*
 * btf_index_visit() - btf_index() that shows types to @visitor on its way: a second walk over a
 * kernel's BTF would take as long again. What was seen is of no account when it fails.
 */
int btf_index_visit(struct btf *btf, struct bytes raw, const struct btf_visitor *visitor,
		    struct error *err);

/*
 * btf_index_split() - the same for the BTF of a kernel module: its type ids and offsets of strings
 * begin where those of @base end, which is borrowed and whole itself. All functions below then take
 * ids of either. Fails as btf_index(), and with EINVAL when @base is split or of the other byte
 * order.
 */
int btf_index_split(struct btf *btf, struct bytes raw, const struct btf *base, struct error *err);

/*
 * btf_learn_pointers() - a kernel's pointers are as large as its long, which only 32-bit kernels
 * have with 4 bytes: set pointer_size by the first int of that name. Without one it stays 8.
 */
void btf_learn_pointers(struct btf *btf);

/* btf_holder() - who has type @id: @btf or its base. @id is not 0, and below nr_types. */
static inline const struct btf *btf_holder(const struct btf *btf, uint32_t id)
{
	return id < btf->first_id ? btf->base : btf;
}

/* btf_offset() - where in the types of its holder @btf type @id begins. */
static inline size_t btf_offset(const struct btf *btf, uint32_t id)
{
	return btf->offsets[id - btf->first_id];
}

/* btf_kind_of() - the kind of type @id alone, where a whole btf_type() would be thrown away. */
static inline uint32_t btf_kind_of(const struct btf *btf, uint32_t id)
{
	const struct btf *holder = btf_holder(btf, id);
	size_t at;

	if (!id)
		return BTF_KIND_UNKN;
	at = btf_offset(holder, id) + offsetof(struct btf_type, info);
	return BTF_INFO_KIND(bytes_u32(holder->types, at, holder->swap));
}

/* btf_type() - a copy of type @id; @id must be below nr_types. */
struct btf_type_view btf_type(const struct btf *btf, uint32_t id);

/* Member, enumerator, entry of a DATASEC number @i, which is below vlen; what an array is of. */
struct btf_member_view btf_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
struct btf_array_view btf_array(const struct btf *btf, const struct btf_type_view *t);
struct btf_enumerator_view btf_enumerator(const struct btf *btf, const struct btf_type_view *t,
					  uint32_t i);
struct btf_var_view btf_datasec_var(const struct btf *btf, const struct btf_type_view *t,
				    uint32_t i);

/*
 * btf_string() - the string at @off of the string section (base's first); NULL when out of range.
 */
const char *btf_string(const struct btf *btf, uint32_t off);

/* btf_skip() - follow typedefs and modifiers from @id to the type itself. Cannot loop. */
struct btf_type_view btf_skip(const struct btf *btf, uint32_t id);

/*
 * btf_size() - bytes of a value of type @id, or -EINVAL when it has none (void, func, too deep,
 * overflow).
 */
int64_t btf_size(const struct btf *btf, uint32_t id);

/* btf_find() - the first type of that kind and name, or 0. */
uint32_t btf_find(const struct btf *btf, uint32_t kind, const char *name);

/* btf_kind_name() - "struct", "enum64", "datasec" ...; for messages. */
const char *btf_kind_name(uint32_t kind);

#endif
