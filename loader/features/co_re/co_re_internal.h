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

/* As long as an access string gets, and as deep as types are followed: the kernel's own limits. */
#define CORE_ACCESS_MAX 64
#define CORE_DEPTH_MAX 32

/*
 * Types looked at for all relocations of an object: so many, and so many for each relocation, but
 * never more than _MAX. A real one with thousands of relocations needs some millions, and only BTF
 * made for that purpose more.
 */
#define CORE_STEPS	(UINT64_C(1) << 20)
#define CORE_STEPS_EACH	(UINT64_C(1) << 13)
#define CORE_STEPS_MAX	(UINT64_C(1) << 26)

/*
 * --- types.c: the accessors of elf/btf.h for BTF whose ids and names nobody has checked: what is
 * out of range is void, a name out of range is "", and what goes round in circles is void too ---
 */
struct btf_type_view core_type(const struct btf *btf, uint32_t id);
struct btf_type_view core_skip(const struct btf *btf, uint32_t id);
struct btf_member_view core_member(const struct btf *btf, const struct btf_type_view *t,
				   uint32_t i);
struct btf_enumerator_view core_enumerator(const struct btf *btf, const struct btf_type_view *t,
					   uint32_t i);
uint32_t core_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i);
/* core_size() - bytes of a value of type @id (below 2^40), or -EINVAL. */
int64_t core_size(const struct btf *btf, uint32_t id);

/* core_names_equal() - whether two names are the same but for their flavours. */
bool core_names_equal(const char *a, const char *b);

static inline bool core_is_enum(uint32_t kind)
{
	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

static inline bool core_is_composite(uint32_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/* Two kinds that stand for the same thing: the same, or an enum of either width. */
static inline bool core_kinds_compat(uint32_t a, uint32_t b)
{
	return a == b || (core_is_enum(a) && core_is_enum(b));
}

/* --- compat.c: whether a local type and one of the target are the same for CO-RE --- */

struct core_pair {
	const struct btf *local, *target;	/* borrowed; target: of the candidate asked now */
	uint64_t steps;		/* so far, of CORE_STEPS_MAX */
	bool declared;		/* a local forward declaration is as good as the struct */
};

/*
 * core_fields_compat() - may a field of type @target be read as one of type @local: composites all
 * may, of pointers, ints and floats the size may differ, enums have one name, arrays ask of their
 * elements.
 * core_types_compat() - for type_exists, type_size and type_id_target: of one kind all the way
 * down.
 * core_types_match() - for type_matches: each member, enumerator and parameter of the local type is
 * there.
 * All return 1 or 0, or -ELOOP when it takes too many steps. Source: kernel
 * tools/lib/bpf/relo_core.c.
 */
int core_fields_compat(struct core_pair *pair, uint32_t local, uint32_t target);
int core_types_compat(struct core_pair *pair, uint32_t local, uint32_t target, unsigned int depth);
int core_types_match(struct core_pair *pair, uint32_t local, uint32_t target, bool behind_pointer,
		     unsigned int depth);

/* --- spec.c: what a relocation is about, in one BTF --- */

struct core_access {
	uint32_t type;		/* the struct, union or enum; NULL name: the element's type */
	uint32_t index;		/* of the member, enumerator, or element */
	const char *name;	/* NULL: an array's element */
};

struct core_spec {
	const struct btf *btf;	/* borrowed */
	uint32_t kind;		/* enum bpf_core_relo_kind */
	uint32_t root;		/* type id */
	uint64_t bit_offset;	/* of the field */
	struct core_access access[CORE_ACCESS_MAX];	/* without steps into anonymous members */
	uint32_t nr;
};

bool core_kind_of_field(uint32_t kind);
bool core_kind_of_enum(uint32_t kind);

/* core_spec_parse() - what @relo is about in the object's own BTF. Fails with EBADMSG. */
int core_spec_parse(struct core_spec *spec, const struct btf *btf, struct btf_core_relo relo,
		    struct error *err);

/*
 * core_spec_match() - find the same in candidate @root of the target. Returns 1 with @out, 0: not
 * there, or -ELOOP.
 */
int core_spec_match(struct core_pair *pair, const struct core_spec *local, uint32_t root,
		    struct core_spec *out);

/* --- value.c: what a relocation of each kind comes to --- */

struct core_value {
	uint64_t value;
	bool certain;		/* the compiler has no choice: its instruction has exactly this */
	uint32_t size;		/* field_byte_offset of no bit field: what a load there loads;
				 * else 0 */
	uint32_t type;		/* likewise, of which type */
};

/*
 * core_value() - fails with -EUCLEAN when a type has no size or a bit field does not fit in 8
 * bytes.
 */
int core_value(const struct core_spec *spec, struct core_value *out);

/* core_value_absent() - whether "it is not there" is an answer (it is 0). */
bool core_value_absent(uint32_t kind);

/* --- candidates.c: types of the target that have one of the names asked for --- */

struct core_candidate {
	const struct btf *btf;	/* borrowed: vmlinux's or a module's */
	uint32_t type;
	uint32_t next;		/* index, or 0: the last one */
};

struct core_names {
	struct type_names wanted;	/* first, last: indices into list, 0: none */
	const struct btf *target;	/* borrowed: walked now */
	struct core_candidate *list;	/* owned; [0] unused */
	uint32_t nr;
};

/*
 * core_names_find() - walk @target once, keeping the types that have the name of a type which @ext
 * relocates. core_names_find_vmlinux(): that of @types, which it opens if it must; fails as that.
 * core_names_find_more(): the same in the BTF of a module, keeping what is of no name and kind that
 * vmlinux has. All borrow the target. core_names_first(): the first candidate for @name, or 0. Fail
 * with ENOMEM; @names is then empty, or has what it had before the module.
 */
int core_names_find(struct core_names *names, const struct btf *local, const struct btf_ext *ext,
		    const struct btf *target, struct error *err);
int core_names_find_vmlinux(struct core_names *names, const struct btf *local,
			    const struct btf_ext *ext, struct kernel_types *types,
			    struct error *err);
int core_names_find_more(struct core_names *names, const struct btf *module, struct error *err);
uint32_t core_names_first(const struct core_names *names, const char *name);
void core_names_free(struct core_names *names);

/* --- resolve.c, patch.c --- */

enum core_why {
	CORE_MET,
	CORE_NO_TYPE,		/* no candidate at all */
	CORE_NO_MATCH,		/* candidates, and none has it */
	CORE_BAD_SIZE,		/* of another size, and not two pointers or two unsigned ints */
};

struct core_result {
	enum core_why why;	/* anything but MET poisons (BAD_SIZE: loads and stores only) */
	uint64_t local, target;
	bool certain;		/* the instruction has to have @local */
	uint32_t local_size, target_size;	/* not equal: the access changes its size */
	bool nowhere;		/* no candidate at all, which may be an answer */
};

/*
 * core_resolve() - @names are the candidates in pair->target; both are not looked at for
 * type_id_local. Fails with EBADMSG (access string), ENOTSUP (anonymous type), EINVAL (ambiguous),
 * ELOOP.
 */
int core_resolve(struct core_pair *pair, const struct core_names *names, struct btf_core_relo relo,
		 struct core_result *res, struct error *err);

/*
 * core_patch() - write @res into insns[0], and for ldimm64 insns[1]; @room of them there are in
 * the function. 1: poisoned, as *@why says. Fails with EBADMSG when the instruction is not one that
 * can be relocated, or has not the value that the compiler gave it.
 */
int core_patch(struct bpf_insn *insns, uint32_t room, const struct core_result *res,
	       enum core_why *why, struct error *err);

#endif
