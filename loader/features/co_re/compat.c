// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* When a type of the object and one of the kernel are the same for CO-RE: three degrees of it. */
#include <errno.h>

#include "loader/features/co_re/co_re.h"
#include "loader/features/co_re/co_re_internal.h"

/* Counts; with members of members hostile types can make the work double at each level. */
static bool too_many_steps(struct core_pair *pair)
{
	return ++pair->steps > CORE_STEPS_MAX;
}

/*
 * Ints that are bit fields of the oldest kind, by an offset in the type itself, are never the same.
 */
static bool plain_ints(const struct btf_type_view *l, const struct btf_type_view *t)
{
	return !BTF_INT_OFFSET(l->extra) && !BTF_INT_OFFSET(t->extra);
}

int core_fields_compat(struct core_pair *pair, uint32_t local, uint32_t target)
{
	for (unsigned int depth = 0; depth < CORE_DEPTH_MAX; depth++) {
		struct btf_type_view l = core_skip(pair->local, local);
		struct btf_type_view t = core_skip(pair->target, target);

		if (too_many_steps(pair))
			return -ELOOP;
		if (core_is_composite(l.kind) && core_is_composite(t.kind))
			return 1;
		if (!core_kinds_compat(l.kind, t.kind))
			return 0;
		switch (l.kind) {
		case BTF_KIND_PTR:
		case BTF_KIND_FLOAT:
			return 1;
		case BTF_KIND_FWD:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			return !l.name[0] || !t.name[0] || core_names_equal(l.name, t.name);
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

/* Parameters and what is returned, by @compare. */
static int protos(struct core_pair *pair, const struct btf_type_view *l,
		  const struct btf_type_view *t, unsigned int depth,
		  int (*compare)(struct core_pair *, uint32_t, uint32_t, unsigned int))
{
	int ret = l->vlen == t->vlen;

	for (uint32_t i = 0; ret > 0 && i < l->vlen; i++)
		ret = compare(pair, core_param(pair->local, l, i), core_param(pair->target, t, i),
			      depth);
	return ret > 0 ? compare(pair, l->type, t->type, depth) : ret;
}

/* A forward declaration stands for a struct, or with kind_flag for a union. */
static uint32_t declared_kind(const struct btf_type_view *t)
{
	if (t->kind != BTF_KIND_FWD)
		return t->kind;
	return t->kind_flag ? BTF_KIND_UNION : BTF_KIND_STRUCT;
}

int core_types_compat(struct core_pair *pair, uint32_t local, uint32_t target, unsigned int depth)
{
	struct btf_type_view l = core_skip(pair->local, local);
	struct btf_type_view t = core_skip(pair->target, target);

	if (depth > CORE_DEPTH_MAX || too_many_steps(pair))
		return -ELOOP;
	if (pair->declared && l.kind == BTF_KIND_FWD)
		return declared_kind(&l) == declared_kind(&t);
	if (!core_kinds_compat(l.kind, t.kind))
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
		return core_types_compat(pair, l.type, t.type, depth + 1);
	case BTF_KIND_ARRAY:
		return core_types_compat(pair, btf_array(pair->local, &l).type,
					 btf_array(pair->target, &t).type, depth + 1);
	case BTF_KIND_FUNC_PROTO:
		return protos(pair, &l, &t, depth + 1, core_types_compat);
	default:
		return 0;
	}
}

int core_types_alike(const struct btf *local, uint32_t local_id, const struct btf *kernel,
		     uint32_t kernel_id)
{
	struct core_pair pair = { .local = local, .target = kernel, .declared = true };

	return core_types_compat(&pair, local_id, kernel_id, 0);
}

/* Each enumerator has one of its name; values may differ. */
static int enums_match(struct core_pair *pair, const struct btf_type_view *l,
		       const struct btf_type_view *t)
{
	if (l->vlen > t->vlen)
		return 0;
	for (uint32_t i = 0; i < l->vlen; i++) {
		const char *name = core_enumerator(pair->local, l, i).name;
		uint32_t k = 0;

		for (; k < t->vlen; k++) {
			if (too_many_steps(pair))
				return -ELOOP;
			if (core_names_equal(name, core_enumerator(pair->target, t, k).name))
				break;
		}
		if (k == t->vlen)
			return 0;
	}
	return 1;
}

static int member_matches(struct core_pair *pair, const struct btf_member_view *m,
			  const struct btf_type_view *t, unsigned int depth)
{
	for (uint32_t k = 0; k < t->vlen; k++) {
		struct btf_member_view there = core_member(pair->target, t, k);
		int ret;

		if (too_many_steps(pair))
			return -ELOOP;
		if (!core_names_equal(m->name, there.name))
			continue;
		ret = core_types_match(pair, m->type, there.type, false, depth);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Each member has one of its name whose type matches; the order and what else is there do not
 * count.
 */
static int composites_match(struct core_pair *pair, const struct btf_type_view *l,
			    const struct btf_type_view *t, unsigned int depth)
{
	int ret = l->vlen <= t->vlen;

	for (uint32_t i = 0; ret > 0 && i < l->vlen; i++) {
		struct btf_member_view m = core_member(pair->local, l, i);

		ret = member_matches(pair, &m, t, depth);
	}
	return ret;
}

static int match_param(struct core_pair *pair, uint32_t local, uint32_t target, unsigned int depth)
{
	return core_types_match(pair, local, target, false, depth);
}

static int match_pointed_param(struct core_pair *pair, uint32_t local, uint32_t target,
			       unsigned int depth)
{
	return core_types_match(pair, local, target, true, depth);
}

static int ints_match(const struct btf_type_view *l, const struct btf_type_view *t)
{
	return l->size == t->size && (BTF_INT_ENCODING(l->extra) & BTF_INT_SIGNED) ==
					     (BTF_INT_ENCODING(t->extra) & BTF_INT_SIGNED);
}

int core_types_match(struct core_pair *pair, uint32_t local, uint32_t target, bool behind_pointer,
		     unsigned int depth)
{
	struct btf_type_view l = core_skip(pair->local, local);
	struct btf_type_view t = core_skip(pair->target, target);
	struct btf_array_view la, ta;

	if (depth > CORE_DEPTH_MAX || too_many_steps(pair))
		return -ELOOP;
	if (!core_names_equal(l.name, t.name))
		return 0;
	/* What is behind a pointer is compared by name alone, so that circles of types end. */
	if (behind_pointer && (core_is_composite(l.kind) || l.kind == BTF_KIND_FWD))
		return declared_kind(&l) == declared_kind(&t);
	if (!core_kinds_compat(l.kind, t.kind))
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
		return core_types_match(pair, l.type, t.type, true, depth + 1);
	case BTF_KIND_ARRAY:
		la = btf_array(pair->local, &l);
		ta = btf_array(pair->target, &t);
		return la.nelems == ta.nelems ? core_types_match(pair, la.type, ta.type,
								 behind_pointer, depth + 1)
					      : 0;
	case BTF_KIND_FUNC_PROTO:
		return protos(pair, &l, &t, depth + 1,
			      behind_pointer ? match_pointed_param : match_param);
	default:
		return 0;
	}
}
