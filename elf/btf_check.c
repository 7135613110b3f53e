// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * btf_parse(): validate all of the BTF in linear time, so that the accessors need no checks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

static int check_name(const struct btf *btf, size_t at, struct error *err)
{
	uint32_t off = btf_word(btf, at);

	if (btf_string(btf, off))
		return 0;
	return error_set(err, EBADMSG,
			 "the name offset 0x%" PRIx32 " is outside the 0x%zx bytes of strings", off,
			 btf->strings.size);
}

static int check_id(const struct btf *btf, uint32_t id, struct error *err)
{
	if (id < btf->nr_types)
		return 0;
	return error_set(err, EBADMSG, "it refers to type %" PRIu32 " of %" PRIu32, id,
			 btf->nr_types);
}

/*
 * Establishes, as btf_int_check_meta(), btf_enum_check_meta() and btf_float_check_meta() of
 * kernel/bpf/btf.c do:
 *
 * - INT: 1, 2, 4, 8 or 16 bytes, enough for its bits - ENUM, ENUM64: 1, 2, 4 or 8 bytes; 0 for a
 * declaration without enumerators (`enum e;`), whose size loader/core/object/btf_fix.c sets -
 * FLOAT: 2, 4, 8, 12 or 16 bytes
 */
static int check_sized(const struct btf_type_view *t, struct error *err)
{
	bool power = t->size && !(t->size & (t->size - 1));

	switch (t->kind) {
	case BTF_KIND_INT:
		if (!power || t->size > 16 ||
		    BTF_INT_OFFSET(t->extra) + BTF_INT_BITS(t->extra) > t->size * 8)
			return error_set(err, EBADMSG,
					 "%u bits from bit %u do not fit into an int of %" PRIu32
					 " bytes",
					 BTF_INT_BITS(t->extra), BTF_INT_OFFSET(t->extra), t->size);
		return 0;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if ((!power || t->size > 8) && (t->size || t->vlen))
			return error_set(err, EBADMSG, "invalid enum size: %" PRIu32 " bytes",
					 t->size);
		return 0;
	case BTF_KIND_FLOAT:
		if (t->size != 12 && (!power || t->size == 1 || t->size > 16))
			return error_set(err, EBADMSG, "invalid float size: %" PRIu32 " bytes",
					 t->size);
		return 0;
	}
	return 0;
}

/*
 * Establishes that the name and type id of each entry are in range, if entries of its kind have
 * them.
 */
static int check_entries(const struct btf *btf, const struct btf_type_view *t, struct error *err)
{
	const struct btf_kind *kind = btf_kind(t->kind);

	for (uint32_t i = 0; kind && i < t->vlen; i++) {
		const size_t at = btf_entry(t, i, kind->each);
		int ret = kind->names ? check_name(btf, at, err) : 0;

		if (!ret && kind->typed)
			ret = check_id(btf, btf_word(btf, at + kind->typed - 1), err);
		if (ret) {
			error_where(err, "entry %" PRIu32, i);
			return ret;
		}
	}
	return 0;
}

/* Establishes that the name of the type and every id that it refers to are in range. */
static int check_type(const struct btf *btf, uint32_t id, struct error *err)
{
	struct btf_type_view t;
	int ret = check_name(btf, btf_offset(btf, id) + offsetof(struct btf_type, name_off), err);

	if (ret)
		return ret;
	t = btf_type(btf, id);
	ret = check_id(btf, t.type, err);
	if (!ret)
		ret = check_sized(&t, err);
	if (!ret && t.kind == BTF_KIND_ARRAY) {
		ret = check_id(btf, btf_array(btf, &t).type, err);
		if (!ret)
			ret = check_id(btf, btf_array(btf, &t).index_type, err);
	}
	return ret ? ret : check_entries(btf, &t, err);
}

/*
 * Establishes that the chain of modifiers starting at @id ends. @lengths caches the length of each
 * chain (0: unknown), so that each type is visited once.
 */
static int check_modifiers(const struct btf *btf, uint32_t id, uint16_t *lengths,
			   struct error *err)
{
	unsigned int length = 0;
	uint32_t end = id;

	while (btf_kind_of(btf, end) && btf_kind(btf_kind_of(btf, end))->modifier &&
	       !lengths[end] && length <= BTF_DEPTH_MAX) {
		end = btf_type(btf, end).type;
		length++;
	}
	length += lengths[end];
	if (length > BTF_DEPTH_MAX)
		return error_set(err, EBADMSG,
				 "chain of more than %u modifiers, or a cycle", BTF_DEPTH_MAX);
	for (; id != end; id = btf_type(btf, id).type)
		lengths[id] = length--;
	return 0;
}

/*
 * Establishes that values of type @id can exist: nothing may refer to, contain or modify a VAR,
 * DATASEC or DECL_TAG. See btf_type_is_resolve_source_only() in kernel/bpf/btf.c.
 */
static int check_value_type(const struct btf *btf, uint32_t id, struct error *err)
{
	uint32_t kind = btf_kind_of(btf, id);

	if (kind != BTF_KIND_VAR && kind != BTF_KIND_DATASEC && kind != BTF_KIND_DECL_TAG)
		return 0;
	return error_set(err, EBADMSG, "type %" PRIu32 " is a %s, which has no values", id,
			 btf_kind_name(kind));
}

/*
 * Establishes, once all ids have been checked:
 *
 * - the referenced type can have values; a FUNC refers to a FUNC_PROTO - the linkage of a FUNC or
 * VAR is known - DATASEC entries are VARs or FUNCs
 */
static int check_target(const struct btf *btf, const struct btf_type_view *t, struct error *err)
{
	uint32_t kind = btf_kind_of(btf, t->type);

	if (t->kind != BTF_KIND_DECL_TAG && check_value_type(btf, t->type, err))
		return -EBADMSG;
	if (t->kind == BTF_KIND_ARRAY && check_value_type(btf, btf_array(btf, t).type, err))
		return -EBADMSG;
	if (t->kind == BTF_KIND_FUNC && kind != BTF_KIND_FUNC_PROTO)
		return error_set(err, EBADMSG, "a func has type %" PRIu32 ", a %s", t->type,
				 btf_kind_name(kind));
	if ((t->kind == BTF_KIND_FUNC || t->kind == BTF_KIND_VAR) && t->extra > BTF_FUNC_EXTERN)
		return error_set(err, EBADMSG, "linkage %" PRIu32 " is unknown", t->extra);
	for (uint32_t i = 0; t->kind == BTF_KIND_DATASEC && i < t->vlen; i++) {
		uint32_t var = btf_datasec_var(btf, t, i).type;

		kind = btf_kind_of(btf, var);
		if (kind != BTF_KIND_VAR && kind != BTF_KIND_FUNC)
			return error_set(err, EBADMSG,
					 "entry %" PRIu32 " is type %" PRIu32 ", a %s, not a var",
					 i, var, btf_kind_name(kind));
	}
	return 0;
}

/*
 * Establishes that a tag applies to the whole type (-1) or to an existing member or parameter.
 */
static int check_component(const struct btf *btf, const struct btf_type_view *t, struct error *err)
{
	struct btf_type_view target = btf_type(btf, t->type);

	if (t->extra == UINT32_MAX)
		return 0;
	if (target.kind == BTF_KIND_FUNC)
		target = btf_type(btf, target.type);
	if ((target.kind == BTF_KIND_STRUCT || target.kind == BTF_KIND_UNION ||
	     target.kind == BTF_KIND_FUNC_PROTO) &&
	    t->extra < target.vlen)
		return 0;
	return error_set(err, EBADMSG, "type %" PRIu32 " has no component %" PRIu32, t->type,
			 t->extra);
}

static int check_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i,
			struct error *err)
{
	struct btf_member_view m = btf_member(btf, t, i);
	int64_t size = btf_size(btf, m.type);
	uint64_t outer = t->size * UINT64_C(8);
	bool fits;

	if (check_value_type(btf, m.type, err))
		return error_where(err, "entry %" PRIu32, i);
	if (size < 0)
		return error_set(err, EBADMSG,
				 "member %" PRIu32 " '%.80s' has type %" PRIu32
				 ", whose size is unknown",
				 i, m.name, m.type);
	if (m.bitfield_size)	/* a bit field's type may be larger than the packed struct that
				 * contains it */
		fits = m.bitfield_size <= (uint64_t)size * 8 &&
		       bytes_hold(outer, m.bit_offset, m.bitfield_size);
	else
		fits = size <= t->size && bytes_hold(outer, m.bit_offset, size * 8);
	if (!fits)
		return error_set(err, EBADMSG,
				 "member %" PRIu32 " '%.80s' of 0x%" PRIx64 " bytes at bit %" PRIu32
				 " is outside the %s of 0x%" PRIx32 " bytes",
				 i, m.name, size, m.bit_offset, btf_kind_name(t->kind), t->size);
	if (!m.bitfield_size && m.bit_offset % 8)
		return error_set(err, EBADMSG,
				 "member %" PRIu32 " '%.80s' starts at bit %" PRIu32
				 " but is not a bit field",
				 i, m.name, m.bit_offset);
	return 0;
}

static int check_layout(const struct btf *btf, uint32_t id, struct error *err)
{
	struct btf_type_view t = btf_type(btf, id);
	int ret = check_target(btf, &t, err);

	if (!ret && t.kind == BTF_KIND_DECL_TAG)
		ret = check_component(btf, &t, err);
	if (t.kind != BTF_KIND_STRUCT && t.kind != BTF_KIND_UNION)
		return ret;
	for (uint32_t i = 0; !ret && i < t.vlen; i++)
		ret = check_member(btf, &t, i, err);
	return ret;
}

static bool holds_types(uint32_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION || kind == BTF_KIND_ARRAY;
}

/*
 * Establishes that structs and arrays are nested at most BTF_DEPTH_MAX deep and never contain
 * themselves, so that printing a value may recurse. Type @id contains other types. @heights caches
 * the depth of each type (0: unknown), so that each is visited once. The recursion stops at
 * BTF_DEPTH_MAX.
 */
static int check_nesting(const struct btf *btf, uint32_t id, unsigned int depth, uint16_t *heights,
			 struct error *err)
{
	unsigned int height = 0;
	struct btf_type_view t;

	if (depth + heights[id] > BTF_DEPTH_MAX)
		return error_set(err, EBADMSG,
				 "types are nested more than %u deep, or a type contains itself",
				 BTF_DEPTH_MAX);
	if (heights[id])
		return 0;
	t = btf_type(btf, id);
	for (uint32_t i = 0; i < (t.kind == BTF_KIND_ARRAY ? 1 : t.vlen); i++) {
		uint32_t inner = t.kind == BTF_KIND_ARRAY ? btf_array(btf, &t).type
							  : btf_member(btf, &t, i).type;
		int ret = 0;

		inner = btf_skip_id(btf, inner);
		if (!holds_types(btf_kind_of(btf, inner)))
			heights[inner] = 1;
		else
			ret = check_nesting(btf, inner, depth + 1, heights, err);
		if (ret)
			return ret;
		if (heights[inner] > height)
			height = heights[inner];
	}
	heights[id] = height + 1;
	return 0;
}

/* Run the checks one by one over all types: each relies on the ones before it. */
static int check_types(const struct btf *btf, struct error *err)
{
	/* No type is both a modifier, which has a length, and a container, which has a height. */
	uint16_t *heights = calloc(btf->nr_types, sizeof(*heights));
	uint32_t id;
	int ret = 0;

	if (!heights)
		return error_set(err, ENOMEM, "no memory to check %" PRIu32 " types",
				 btf->nr_types);
	for (id = 1; !ret && id < btf->nr_types; id++)
		ret = check_type(btf, id, err);
	if (ret)
		goto out;
	for (id = 1; !ret && id < btf->nr_types; id++)
		ret = check_modifiers(btf, id, heights, err);
	if (ret)
		goto out;
	for (id = 1; !ret && id < btf->nr_types; id++) {
		ret = check_layout(btf, id, err);
		if (!ret && holds_types(btf_kind_of(btf, id)))
			ret = check_nesting(btf, id, 0, heights, err);
	}
out:
	if (ret) {
		const char *name = btf_string(btf, btf_word(btf, btf_offset(btf, id - 1)));

		error_at(err, btf->types.data - btf->raw.data + btf_offset(btf, id - 1));
		error_where(err, "BTF type %" PRIu32 " '%.80s'", id - 1, name ? name : "");
	}
	free(heights);
	return ret;
}

int btf_parse(struct btf *btf, struct bytes raw, struct error *err)
{
	int ret = btf_index_all(btf, raw, err);

	if (ret)
		return ret;
	ret = check_types(btf, err);
	if (ret)
		btf_free(btf);
	return ret;
}
