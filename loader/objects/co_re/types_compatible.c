// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compare an object's type with a kernel's type, in the three degrees that CO-RE needs. */
#include <errno.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/co_re/co_re_internal.h"

/* Count a step. With nested members, hostile types can double the work at every level. */
static bool too_many_steps(struct co_re_pair *pair)
{
	return ++pair->steps > CO_RE_STEPS_MAX;
}

/*
 * An int with an offset in the type itself, which pahole once used for bit fields, matches nothing.
 */
static bool plain_ints(const struct btf_type_view *l, const struct btf_type_view *t)
{
	return !BTF_INT_OFFSET(l->extra) && !BTF_INT_OFFSET(t->extra);
}

int co_re_fields_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target)
{
	for (unsigned int depth = 0; depth < CO_RE_DEPTH_MAX; depth++) {
		struct btf_type_view l = checked_skip(pair->local, local);
		struct btf_type_view t = checked_skip(pair->target, target);

		if (too_many_steps(pair))
			return -ELOOP;
		if (btf_kind_is_composite(l.kind) && btf_kind_is_composite(t.kind))
			return 1;
		if (!co_re_kinds_compatible(l.kind, t.kind))
			return 0;
		switch (l.kind) {
		case BTF_KIND_PTR:
		case BTF_KIND_FLOAT:
			return 1;
		case BTF_KIND_FWD:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			return !l.name[0] || !t.name[0] || type_names_equal(l.name, t.name);
		case BTF_KIND_INT:
			return plain_ints(&l, &t);
		case BTF_KIND_ARRAY:
			local = btf_array(pair->local, &l).type;
			target = btf_array(pair->target, &t).type;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

/* Compare the parameters and the return types with @compare. */
static int protos(struct co_re_pair *pair, const struct btf_type_view *l,
		  const struct btf_type_view *t, unsigned int depth,
		  int (*compare)(struct co_re_pair *, uint32_t, uint32_t, unsigned int))
{
	int ret = l->vlen == t->vlen;

	for (uint32_t i = 0; ret > 0 && i < l->vlen; i++)
		ret = compare(pair, checked_param(pair->local, l, i),
			      checked_param(pair->target, t, i), depth);
	return ret > 0 ? compare(pair, l->type, t->type, depth) : ret;
}

/* A forward declaration is for a struct, or with kind_flag for a union. */
static uint32_t declared_kind(const struct btf_type_view *t)
{
	if (t->kind != BTF_KIND_FWD)
		return t->kind;
	return t->kind_flag ? BTF_KIND_UNION : BTF_KIND_STRUCT;
}

int co_re_types_compatible(struct co_re_pair *pair, uint32_t local, uint32_t target,
			   unsigned int depth)
{
	struct btf_type_view l = checked_skip(pair->local, local);
	struct btf_type_view t = checked_skip(pair->target, target);

	if (depth > CO_RE_DEPTH_MAX || too_many_steps(pair))
		return -ELOOP;
	if (pair->declared && l.kind == BTF_KIND_FWD)
		return declared_kind(&l) == declared_kind(&t);
	if (!co_re_kinds_compatible(l.kind, t.kind))
		return 0;
	switch (l.kind) {
	case BTF_KIND_UNKN:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FWD:
		return 1;
	case BTF_KIND_INT:
		return plain_ints(&l, &t);
	case BTF_KIND_PTR:
		return co_re_types_compatible(pair, l.type, t.type, depth + 1);
	case BTF_KIND_ARRAY:
		return co_re_types_compatible(pair, btf_array(pair->local, &l).type,
					      btf_array(pair->target, &t).type, depth + 1);
	case BTF_KIND_FUNC_PROTO:
		return protos(pair, &l, &t, depth + 1, co_re_types_compatible);
	default:
		return 0;
	}
}

int co_re_same_type(const struct btf *local, uint32_t local_id, const struct btf *kernel,
		    uint32_t kernel_id)
{
	struct co_re_pair pair = { .local = local, .target = kernel, .declared = true };

	return co_re_types_compatible(&pair, local_id, kernel_id, 0);
}

/* The target must have each local enumerator by name; values may differ. */
static int enums_match(struct co_re_pair *pair, const struct btf_type_view *l,
		       const struct btf_type_view *t)
{
	if (l->vlen > t->vlen)
		return 0;
	for (uint32_t i = 0; i < l->vlen; i++) {
		const char *name = checked_enumerator(pair->local, l, i).name;
		uint32_t k = 0;

		for (; k < t->vlen; k++) {
			if (too_many_steps(pair))
				return -ELOOP;
			if (type_names_equal(name, checked_enumerator(pair->target, t, k).name))
				break;
		}
		if (k == t->vlen)
			return 0;
	}
	return 1;
}

static int member_matches(struct co_re_pair *pair, const struct btf_member_view *m,
			  const struct btf_type_view *t, unsigned int depth)
{
	for (uint32_t k = 0; k < t->vlen; k++) {
		struct btf_member_view there = checked_member(pair->target, t, k);
		int ret;

		if (too_many_steps(pair))
			return -ELOOP;
		if (!type_names_equal(m->name, there.name))
			continue;
		ret = co_re_types_match(pair, m->type, there.type, false, depth);
		if (ret)
			return ret;
	}
	return 0;
}

/* The target must have each local member by name, with a matching type, in any order. */
static int composites_match(struct co_re_pair *pair, const struct btf_type_view *l,
			    const struct btf_type_view *t, unsigned int depth)
{
	int ret = l->vlen <= t->vlen;

	for (uint32_t i = 0; ret > 0 && i < l->vlen; i++) {
		struct btf_member_view m = checked_member(pair->local, l, i);

		ret = member_matches(pair, &m, t, depth);
	}
	return ret;
}

static int match_param(struct co_re_pair *pair, uint32_t local, uint32_t target, unsigned int depth)
{
	return co_re_types_match(pair, local, target, false, depth);
}

static int match_pointed_param(struct co_re_pair *pair, uint32_t local, uint32_t target,
			       unsigned int depth)
{
	return co_re_types_match(pair, local, target, true, depth);
}

static int ints_match(const struct btf_type_view *l, const struct btf_type_view *t)
{
	return l->size == t->size && (BTF_INT_ENCODING(l->extra) & BTF_INT_SIGNED) ==
					     (BTF_INT_ENCODING(t->extra) & BTF_INT_SIGNED);
}

int co_re_types_match(struct co_re_pair *pair, uint32_t local, uint32_t target, bool behind_pointer,
		      unsigned int depth)
{
	struct btf_type_view l = checked_skip(pair->local, local);
	struct btf_type_view t = checked_skip(pair->target, target);
	struct btf_array_view la, ta;

	if (depth > CO_RE_DEPTH_MAX || too_many_steps(pair))
		return -ELOOP;
	if (!type_names_equal(l.name, t.name))
		return 0;
	/* A struct behind a pointer is compared only by name, so that type cycles end. */
	if (behind_pointer && (btf_kind_is_composite(l.kind) || l.kind == BTF_KIND_FWD))
		return declared_kind(&l) == declared_kind(&t);
	if (!co_re_kinds_compatible(l.kind, t.kind))
		return 0;
	switch (l.kind) {
	case BTF_KIND_UNKN:
		return 1;
	case BTF_KIND_FWD:
		return l.kind_flag == t.kind_flag;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return enums_match(pair, &l, &t);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return composites_match(pair, &l, &t, depth + 1);
	case BTF_KIND_INT:
		return ints_match(&l, &t);
	case BTF_KIND_PTR:
		return co_re_types_match(pair, l.type, t.type, true, depth + 1);
	case BTF_KIND_ARRAY:
		la = btf_array(pair->local, &l);
		ta = btf_array(pair->target, &t);
		return la.nelems == ta.nelems ? co_re_types_match(pair, la.type, ta.type,
								  behind_pointer, depth + 1)
					      : 0;
	case BTF_KIND_FUNC_PROTO:
		return protos(pair, &l, &t, depth + 1,
			      behind_pointer ? match_pointed_param : match_param);
	default:
		return 0;
	}
}
