/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the steps of CO-RE share with each other; and with loader/struct_ops, which reads the
 * kernel's types as they do.
 */
#ifndef PLOAD_FEATURES_CO_RE_CO_RE_INTERNAL_H
#define PLOAD_FEATURES_CO_RE_CO_RE_INTERNAL_H

#include <linux/bpf.h>

#include "elf/btf.h"
#include "elf/btf_ext.h"
#include "elf/error.h"
#include "loader/features/kernel_types/kernel_types.h"
#include "loader/features/kernel_types/unchecked_types.h"

/* As long as an access string gets, and as deep as types are followed: the kernel's own limits. */
#define CO_RE_ACCESS_MAX 64
#define CO_RE_DEPTH_MAX TYPE_DEPTH_MAX

/*
 * Types looked at for all relocations of an object: so many, and so many for each relocation, but
 * never more than _MAX. A real one with thousands of relocations needs some millions, and only BTF
 * made for that purpose more.
 */
#define CO_RE_STEPS (UINT64_C(1) << 20)
#define CO_RE_STEPS_EACH (UINT64_C(1) << 13)
#define CO_RE_STEPS_MAX (UINT64_C(1) << 26)

static inline bool btf_kind_is_enum(uint32_t kind)
{
	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

static inline bool btf_kind_is_composite(uint32_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/* Two kinds that stand for the same thing: the same, or an enum of either width. */
static inline bool co_re_kinds_compatible(uint32_t a, uint32_t b)
{
	return a == b || (btf_kind_is_enum(a) && btf_kind_is_enum(b));
}

/* --- compat.c: whether a local type and one of the target are the same for CO-RE --- */

struct co_re_pair {
	const struct btf *local, *target;	/* borrowed; target: of the candidate asked now */
	uint64_t steps; /* so far, of CO_RE_STEPS_MAX */
	bool declared;		/* a local forward declaration is as good as the struct */
};

/*
 * co_re_fields_compatible() - may a field of type @target be read as one of type @local: composites
 * all may, of pointers, ints and floats the size may differ, enums have one name, arrays ask of
 * their elements. co_re_types_compatible() - for type_exists, type_size and type_id_target: of one
 * kind all the way down. co_re_types_match() - for type_matches: each member, enumerator and
 * parameter of the local type is there. All return 1 or 0, or -ELOOP when it takes too many steps.
 * Source: kernel tools/lib/bpf/relo_core.c.
 */
int co_re_fields_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target);
int co_re_types_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target,
			   unsigned int depth);
int co_re_types_match(struct co_re_pair *pair, uint32_t local, uint32_t target, bool behind_pointer,
		      unsigned int depth);

/* --- spec.c: what a relocation is about, in one BTF --- */

struct co_re_access {
	uint32_t type;		/* the struct, union or enum; NULL name: the element's type */
	uint32_t index;		/* of the member, enumerator, or element */
	const char *name;	/* NULL: an array's element */
};

struct co_re_spec {
	const struct btf *btf;	/* borrowed */
	uint32_t kind;		/* enum bpf_core_relo_kind */
	uint32_t root;		/* type id */
	uint64_t bit_offset;	/* of the field */
	struct co_re_access access[CO_RE_ACCESS_MAX]; /* without steps into anonymous members */
	uint32_t nr;
};

bool co_re_kind_is_field(uint32_t kind);
bool co_re_kind_is_enum(uint32_t kind);

/* co_re_spec_parse() - what @relo is about in the object's own BTF. Fails with EBADMSG. */
int co_re_spec_parse(struct co_re_spec *spec, const struct btf *btf, struct btf_core_relo relo,
		     struct error *err);

/*
 * co_re_spec_match() - find the same in candidate @root of the target. Returns 1 with @out, 0: not
 * there, or -ELOOP.
 */
int co_re_spec_match(struct co_re_pair *pair, const struct co_re_spec *local, uint32_t root,
		     struct co_re_spec *out);

/* --- value.c: what a relocation of each kind comes to --- */

struct co_re_value {
	uint64_t value;
	bool certain;		/* the compiler has no choice: its instruction has exactly this */
	uint32_t size;		/* field_byte_offset of no bit field: what a load there loads;
				 * else 0 */
	uint32_t type;		/* likewise, of which type */
};

/*
 * co_re_value() - fails with -EUCLEAN when a type has no size or a bit field does not fit in 8
 * bytes.
 */
int co_re_value(const struct co_re_spec *spec, struct co_re_value *out);

/* co_re_may_be_absent() - whether "it is not there" is an answer (it is 0). */
bool co_re_may_be_absent(uint32_t kind);

/* --- candidates.c: types of the target that have one of the names asked for --- */

struct co_re_candidate {
	const struct btf *btf;	/* borrowed: vmlinux's or a module's */
	uint32_t type;
	uint32_t next;		/* index, or 0: the last one */
};

struct co_re_candidates {
	struct type_names wanted;	/* first, last: indices into list, 0: none */
	const struct btf *target;	/* borrowed: walked now */
	struct co_re_candidate *list; /* owned; [0] unused */
	uint32_t nr;
};

/*
 * co_re_candidates_find() - walk @target once, keeping the types that have the name of a type which
 * @ext relocates. co_re_candidates_find_vmlinux(): that of @types, which it opens if it must; fails
 * as that. co_re_candidates_add_module(): the same in the BTF of a module, keeping what is of no
 * name and kind that vmlinux has. All borrow the target. co_re_candidates_first(): the first
 * candidate for @name, or 0. Fail with ENOMEM; @names is then empty, or has what it had before the
 * module.
 */
int co_re_candidates_find(struct co_re_candidates *names, const struct btf *local,
			  const struct btf_ext *ext, const struct btf *target, struct error *err);
int co_re_candidates_find_vmlinux(struct co_re_candidates *names, const struct btf *local,
				  const struct btf_ext *ext, struct kernel_types *types,
				  struct error *err);
int co_re_candidates_add_module(struct co_re_candidates *names, const struct btf *module,
				struct error *err);
uint32_t co_re_candidates_first(const struct co_re_candidates *names, const char *name);
void co_re_candidates_free(struct co_re_candidates *names);

/* --- resolve.c, patch.c --- */

enum co_re_outcome {
	CO_RE_MET,
	CO_RE_NO_TYPE, /* no candidate at all */
	CO_RE_NO_MATCH, /* candidates, and none has it */
	CO_RE_BAD_SIZE, /* of another size, and not two pointers or two unsigned ints */
};

struct co_re_result {
	enum co_re_outcome why; /* anything but MET poisons (BAD_SIZE: loads and stores only) */
	uint64_t local, target;
	bool certain;		/* the instruction has to have @local */
	uint32_t local_size, target_size;	/* not equal: the access changes its size */
	bool nowhere;		/* no candidate at all, which may be an answer */
};

/*
 * co_re_resolve() - @names are the candidates in pair->target; both are not looked at for
 * type_id_local. Fails with EBADMSG (access string), ENOTSUP (anonymous type), EINVAL (ambiguous),
 * ELOOP.
 */
int co_re_resolve(struct co_re_pair *pair, const struct co_re_candidates *names,
		  struct btf_core_relo relo, struct co_re_result *res, struct error *err);

/*
 * co_re_patch() - write @res into insns[0], and for ldimm64 insns[1]; @room of them there are in
 * the function. 1: poisoned, as *@why says. Fails with EBADMSG when the instruction is not one that
 * can be relocated, or has not the value that the compiler gave it.
 */
int co_re_patch(struct bpf_insn *insns, uint32_t room, const struct co_re_result *res,
		enum co_re_outcome *why, struct error *err);

#endif
