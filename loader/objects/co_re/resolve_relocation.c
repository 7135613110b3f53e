// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compute a relocation's value in every candidate; all candidates that have it must agree. */
#include <errno.h>
#include <inttypes.h>

#include "loader/objects/co_re/co_re_internal.h"

/*
 * The size of a load may change only if the loaded value stays the same: for pointers and for
 * unsigned ints, which are zero-extended.
 */
static bool size_may_change(const struct co_re_pair *pair, const struct co_re_value *local,
			    const struct btf *target, const struct co_re_value *there)
{
	struct btf_type_view l = checked_type(pair->local, local->type);
	struct btf_type_view t = checked_type(target, there->type);

	if (l.kind == BTF_KIND_PTR && t.kind == BTF_KIND_PTR)
		return true;
	return l.kind == BTF_KIND_INT && t.kind == BTF_KIND_INT &&
	       !(BTF_INT_ENCODING(l.extra) & BTF_INT_SIGNED) &&
	       !(BTF_INT_ENCODING(t.extra) & BTF_INT_SIGNED);
}

/* The value in the first candidate that has the field; all others must have the same. */
struct found {
	const struct btf *btf;	/* NULL: no candidate has it */
	uint32_t type;
	uint64_t bit_offset;
	int poison;
	struct co_re_value value;
};

static int add_found(struct found *f, const struct co_re_spec *spec, struct error *err)
{
	struct co_re_value value;
	int poison = co_re_value(spec, &value);

	if (!f->btf) {
		*f = (struct found){ spec->btf, spec->root, spec->bit_offset, poison, value };
		return 0;
	}
	if (f->bit_offset == spec->bit_offset && f->poison == poison &&
	    (poison || f->value.value == value.value))
		return 0;
	error_set(err, EINVAL,
		  "ambiguous: types %" PRIu32 " and %" PRIu32
		  " of the kernel both match, with different values",
		  f->type, spec->root);
	return error_hint(err, "use another flavour of the type (NAME___x) with members that only "
			       "one of them has");
}

static int match_candidates(struct co_re_pair *pair, const struct co_re_candidates *names,
			    const struct co_re_spec *local, struct found *f,
			    struct co_re_result *res, struct error *err)
{
	struct btf_type_view l = checked_type(pair->local, local->root);
	uint32_t at = co_re_candidates_first(names, l.name);
	int ret = 0;

	res->outcome = CO_RE_NO_TYPE;
	res->no_candidate = true;
	for (; !ret && at; at = names->list[at].next) {
		uint32_t id = names->list[at].type;
		struct co_re_spec spec;

		pair->target = names->list[at].btf;
		ret = ++pair->steps > CO_RE_STEPS_MAX ? -ELOOP : 0;
		if (!ret && !co_re_kinds_compatible(l.kind, checked_type(pair->target, id).kind))
			continue;
		res->outcome = CO_RE_NO_MATCH;
		res->no_candidate = false;
		if (!ret)
			ret = co_re_spec_match(pair, local, id, &spec);
		if (ret > 0)
			ret = add_found(f, &spec, err);
		else if (ret < 0)
			return error_set(
				err, -ret,
				"the types are nested too deeply or need too many comparisons");
	}
	return ret;
}

static void set_result(const struct co_re_pair *pair, const struct co_re_spec *local,
		       const struct co_re_value *value, const struct found *f,
		       struct co_re_result *res)
{
	if (!f->btf) {
		if (co_re_may_be_absent(local->kind))
			res->outcome = CO_RE_MET;
		res->target = 0;
		return;
	}
	res->outcome = f->poison ? CO_RE_NO_MATCH : CO_RE_MET;
	res->target = f->value.value;
	res->local_size = value->size;
	res->target_size = f->value.size;
	res->local_sign = value->sign;
	res->target_sign = f->value.sign;
	if (!f->poison && value->size != f->value.size &&
	    !size_may_change(pair, value, f->btf, &f->value))
		res->outcome = CO_RE_BAD_SIZE;
}

int co_re_resolve(struct co_re_pair *pair, const struct co_re_candidates *names,
		  struct btf_core_relo relo, struct co_re_result *res, struct error *err)
{
	struct found found = { 0 };
	struct co_re_value value;
	struct co_re_spec local;
	int ret = co_re_spec_parse(&local, pair->local, relo, err);

	if (ret)
		return ret;
	if (co_re_value(&local, &value))
		return error_set(err, EBADMSG, "the object's own type has no size for it");
	*res = (struct co_re_result){ .local = value.value,
				      .target = value.value,
				      .certain = value.certain };
	if (relo.kind == BPF_CORE_TYPE_ID_LOCAL)
		return 0;
	if (!checked_type(pair->local, relo.type_id).name[0]) {
		error_set(err, ENOTSUP, "the type has no name by which to find it in the kernel");
		return error_hint(err, "give it one, with a typedef or a tag");
	}
	ret = match_candidates(pair, names, &local, &found, res, err);
	if (!ret)
		set_result(pair, &local, &value, &found, res);
	return ret;
}
