/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The steps of one CO-RE relocation. "Local" is the object's BTF, "target" the kernel's.
 *
 *	record -> co_re_spec_parse()       a path through local types: task_struct, .mm, .pgd
 *	       -> co_re_candidates_*()     the target's types of the same name
 *	       -> co_re_spec_match()       the same path, by member names, in each candidate
 *	       -> co_re_value()            its value: an offset, a size, an enumerator, 0 or 1
 *	       -> co_re_patch()            the value in the instruction, or the poison
 *
 * Source: kernel tools/lib/bpf/relo_core.c.
 */
#ifndef PLOAD_OBJECTS_CO_RE_CO_RE_INTERNAL_H
#define PLOAD_OBJECTS_CO_RE_CO_RE_INTERNAL_H

#include <linux/bpf.h>

#include "elf/btf.h"
#include "elf/btf_ext.h"
#include "elf/error.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "loader/objects/kernel_types/checked_types.h"

/* Maximum indices in an access string: libbpf's BPF_CORE_SPEC_MAX_LEN. */
#define CO_RE_ACCESS_MAX 64
#define CO_RE_DEPTH_MAX TYPE_DEPTH_MAX

/*
 * The limit on type comparisons for an object: CO_RE_STEPS, plus CO_RE_STEPS_EACH per relocation,
 * but at most CO_RE_STEPS_MAX. A real object with thousands of relocations makes a few million
 * comparisons; only hostile BTF reaches the limit.
 */
#define CO_RE_STEPS	(UINT64_C(1) << 20)
#define CO_RE_STEPS_EACH	(UINT64_C(1) << 13)
#define CO_RE_STEPS_MAX	(UINT64_C(1) << 26)

static inline bool btf_kind_is_enum(uint32_t kind)
{
	return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
}

static inline bool btf_kind_is_composite(uint32_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/* Kinds are compatible if they are equal or both enums (of either width). */
static inline bool co_re_kinds_compatible(uint32_t a, uint32_t b)
{
	return a == b || (btf_kind_is_enum(a) && btf_kind_is_enum(b));
}

/* --- types_compatible.c --- */

/* The two BTFs being compared. */
struct co_re_pair {
	const struct btf *local, *target;	/* borrowed; target: that of the current
						 * candidate */
	uint64_t steps;		/* types compared so far, at most CO_RE_STEPS_MAX */
	bool declared;		/* a local forward declaration equals the struct or union */
};

/*
 * Three ways to compare a local type with a target type. Each returns 1 or 0, or -ELOOP if it takes
 * too many steps.
 *
 * co_re_fields_compatible() - A field of the target's type can be read as one of the local type:
 * two
 *	composites always; two pointers, ints or floats of any size; enums of one name; arrays of
 *	compatible elements.
 * co_re_types_compatible() - For BPF_CORE_TYPE_EXISTS, _SIZE and _ID_TARGET: of the same kinds all
 *	the way down.
 * co_re_types_match() - For BPF_CORE_TYPE_MATCHES: the target's type has each member, enumerator
 * and
 *	parameter of the local type.
 */
int co_re_fields_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target);
int co_re_types_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target,
			   unsigned int depth);
int co_re_types_match(struct co_re_pair *pair, uint32_t local, uint32_t target,
		      bool behind_pointer, unsigned int depth);

/* --- access_spec.c --- */

/* A named step of a path. A step into an anonymous member only adds to the offset. */
struct co_re_access {
	uint32_t type;		/* the struct, union or enum; for an array, its element type */
	uint32_t index;		/* index of the member, enumerator or element */
	const char *name;	/* NULL: an array element */
};

/* The subject of a relocation in one BTF: a type, an enumerator, or the path to a field. */
struct co_re_spec {
	const struct btf *btf;	/* borrowed */
	uint32_t kind;		/* enum bpf_core_relo_kind */
	uint32_t root;		/* type id */
	uint64_t bit_offset;	/* offset of the field in root */
	struct co_re_access access[CO_RE_ACCESS_MAX];
	uint32_t nr;
};

bool co_re_kind_is_field(uint32_t kind);
bool co_re_kind_is_enum(uint32_t kind);

/* co_re_spec_parse() - Resolve @relo in the object's own BTF. Fails with -EBADMSG. */
int co_re_spec_parse(struct co_re_spec *spec, const struct btf *btf, struct btf_core_relo relo,
		     struct error *err);

/**
 * co_re_spec_match() - Find the path of @local in candidate type @root of pair->target.
 *
 * Return: 1 with @out set; 0 if the candidate does not have it; -ELOOP.
 */
int co_re_spec_match(struct co_re_pair *pair, const struct co_re_spec *local, uint32_t root,
		     struct co_re_spec *out);

/* --- field_value.c --- */

/* An ENUM is marked as signed only since clang 15, and in the kernel since pahole 1.24. */
enum co_re_enum_sign { CO_RE_NO_ENUM, CO_RE_ENUM_SIGNED, CO_RE_ENUM_UNMARKED };

/* The value of a relocation. */
struct co_re_value {
	uint64_t value;
	bool certain;		/* the instruction must contain it: all compilers agree on it */
	uint32_t size;		/* FIELD_BYTE_OFFSET of a regular field: size of the load */
	uint32_t type;		/* likewise: the type loaded */
	enum co_re_enum_sign sign;	/* ENUMVAL_VALUE */
};

/*
 * co_re_value() - Compute the value. -EUCLEAN if a type has no size, or a bit field does not fit
 * into 8 bytes.
 */
int co_re_value(const struct co_re_spec *spec, struct co_re_value *out);

/*
 * co_re_may_be_absent() - Return true if the value is 0 when the target lacks the type, field or
 * enumerator.
 */
bool co_re_may_be_absent(uint32_t kind);

/* --- candidates.c --- */

/* A target type with the name of a local type, ignoring flavours. */
struct co_re_candidate {
	const struct btf *btf;	/* borrowed: vmlinux or a module */
	uint32_t type;
	uint32_t next;		/* index of the next one with this name; 0: none */
};

/* All candidates of an object. Candidates with the same name form a list, vmlinux's first. */
struct co_re_candidates {
	struct type_names wanted;	/* type_name.first, .last: indices into list, 0: none */
	const struct btf *target;	/* borrowed: the BTF being visited */
	struct co_re_candidate *list;	/* owned; [0] is unused */
	uint32_t nr;
};

/*
 * co_re_candidates_find() - Visit @target once and collect the types named like a type relocated by
 * @ext.
 * co_re_candidates_add_module() - Add the types of a module's BTF, except those whose name and kind
 * exist in vmlinux.
 * co_re_candidates_first() - Return the index of the first candidate for @name, or 0.
 *
 * The BTFs are borrowed. If out of memory, the first leaves @c empty, the second leaves it
 * unchanged.
 */
int co_re_candidates_find(struct co_re_candidates *c, const struct btf *local,
			  const struct btf_ext *ext, const struct btf *target,
			  struct error *err);
int co_re_candidates_add_module(struct co_re_candidates *c, const struct btf *module,
				struct error *err);
uint32_t co_re_candidates_first(const struct co_re_candidates *c, const char *name);
void co_re_candidates_free(struct co_re_candidates *c);

/* --- resolve_relocation.c, patch_insn.c --- */

enum co_re_outcome {
	CO_RE_MET,
	CO_RE_NO_TYPE,		/* there are no candidates */
	CO_RE_NO_MATCH,		/* no candidate has the field, enumerator or shape */
	CO_RE_BAD_SIZE,		/* a load or store whose size cannot be changed */
};

struct co_re_result {
	enum co_re_outcome outcome;	/* all but MET poison; BAD_SIZE only a load or store */
	uint64_t local, target;	/* value before and after */
	bool certain;		/* the instruction must contain @local */
	uint32_t local_size, target_size;	/* if they differ, the size of the load changes */
	bool no_candidate;	/* which may be a valid value: see co_re_may_be_absent() */
	enum co_re_enum_sign local_sign, target_sign;	/* of an enumerator */
};

/**
 * co_re_resolve() - Compute the value of @relo in the target.
 * @c: the candidates; BPF_CORE_TYPE_ID_LOCAL uses neither them nor pair->target
 *
 * Return: 0, -EBADMSG (access string), -ENOTSUP (anonymous type), -EINVAL (ambiguous), -ELOOP.
 */
int co_re_resolve(struct co_re_pair *pair, const struct co_re_candidates *c,
		  struct btf_core_relo relo, struct co_re_result *res, struct error *err);

/**
 * co_re_patch() - Write @res into insns[0], and for ldimm64 insns[1], or poison them.
 * @room: the number of instructions from @insns to the end of the function
 *
 * Return: 0; 1 if poisoned, with the cause in *@outcome; -EBADMSG if the instruction cannot be
 * relocated or does not contain the value from the local types.
 */
int co_re_patch(struct bpf_insn *insns, uint32_t room, const struct co_re_result *res,
		enum co_re_outcome *outcome, struct error *err);

/* --- nearest_name.c --- */

/* Why the kernel's types do not satisfy a relocation, in words; "" if unknown. */
struct co_re_missing {
	char what[256];		/* "this kernel's struct 'task_struct' has no member 'pidd'" */
	char hint[256];		/* "did you mean pid?" */
	char word[64];		/* the name used in the source: "pidd" */
};

/**
 * co_re_explain_missing() - Find out what is missing for @relo, which no candidate satisfies.
 * @names: the candidates
 * @vmlinux: searched for types of a similar name
 */
void co_re_explain_missing(struct co_re_pair *pair, const struct co_re_candidates *names,
			   const struct btf *vmlinux, struct btf_core_relo relo,
			   struct co_re_missing *out);

#endif
