// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resolve the access string of a CO-RE relocation to a path through the object's types, and find
 * the same path, by member names, in a type of the kernel.
 *
 * A record in .BTF.ext, struct bpf_core_relo, is 16 bytes long:
 *
 *	 0            4           8                12
 *	+------------+-----------+----------------+------+
 *	| insn_off   | type_id   | access_str_off | kind |
 *	+------------+-----------+----------------+------+
 *	  bytes into   local type  string in .BTF   enum bpf_core_relo_kind
 *	  the section
 *
 * The access string of a field is a list of indices. For p->b[3].y and
 *
 *	struct pair { int x, y; };
 *	struct s { int a; struct pair b[4]; } *p;
 *
 * type_id is struct s and the string "0:1:3:1":
 *
 *	0  element 0 of the array of struct s at p	  +0
 *	1  member 1 of struct s: "b"			  +4
 *	3  element 3 of struct pair[4]			 +24
 *	1  member 1 of struct pair: "y"			  +4	offset 32
 *
 * The kernel's struct s is searched for [0], .b, [3], .y, which may be at a different offset. For a
 * type the string is "0"; for an enumerator it is its index.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>

#include "loader/objects/co_re/co_re_internal.h"

/* More bits than any type has, but few enough that sums do not overflow. */
#define BIT_LIMIT (UINT64_C(1) << 43)

bool co_re_kind_is_field(uint32_t kind)
{
	return kind <= BPF_CORE_FIELD_RSHIFT_U64;
}

bool co_re_kind_is_enum(uint32_t kind)
{
	return kind == BPF_CORE_ENUMVAL_EXISTS || kind == BPF_CORE_ENUMVAL_VALUE;
}

/* Parse "0:1:2". */
static int parse_access(const char *text, uint32_t raw[CO_RE_ACCESS_MAX], uint32_t *nr,
			struct error *err)
{
	for (const char *p = text ? text : "";; p++) {
		uint64_t index = 0;

		if (!isdigit((unsigned char)*p))
			return error_set(err, EBADMSG,
					 "the access string does not consist of numbers separated "
					 "by ':'");
		for (; isdigit((unsigned char)*p) && index <= UINT32_MAX; p++)
			index = index * 10 + *p - '0';
		if (index > UINT32_MAX || *nr == CO_RE_ACCESS_MAX)
			return error_set(err, EBADMSG,
					 "the access string is too long or too large");
		raw[(*nr)++] = index;
		if (!*p)
			return 0;
		if (*p != ':')
			return error_set(err, EBADMSG,
					 "the access string does not consist of numbers separated "
					 "by ':'");
	}
}

static bool add_elements(struct co_re_spec *spec, uint32_t index, uint32_t type)
{
	int64_t size = checked_size(spec->btf, type);

	if (size < 0 || (index && (uint64_t)size > BIT_LIMIT / 8 / index))
		return false;
	spec->bit_offset += (uint64_t)size * 8 * index;
	return spec->bit_offset <= BIT_LIMIT;
}

static void push(struct co_re_spec *spec, uint32_t type, uint32_t index, const char *name)
{
	spec->access[spec->nr++] =
		(struct co_re_access){ .type = type, .index = index, .name = name };
}

/*
 * Return true if @array has element @index. A zero-length array at the end of its struct is a
 * flexible array member and has any index.
 */
static bool has_element(const struct co_re_spec *spec, const struct btf_array_view *array,
			uint32_t index)
{
	const struct co_re_access *last = &spec->access[spec->nr - 1];

	if (index < array->nelems)
		return true;
	return !array->nelems && last->name &&
	       last->index + 1 == checked_type(spec->btf, last->type).vlen;
}

/* Take step @index into @t. Return the type found there, or 0 if there is no such step. */
static uint32_t step(struct co_re_spec *spec, const struct btf_type_view *t, uint32_t index)
{
	if (btf_kind_is_composite(t->kind) && index < t->vlen) {
		struct btf_member_view m = checked_member(spec->btf, t, index);

		spec->bit_offset += m.bit_offset;
		if (m.name[0])
			push(spec, t->id, index, m.name);
		return m.type;
	}
	if (t->kind == BTF_KIND_ARRAY) {
		struct btf_array_view array = btf_array(spec->btf, t);
		uint32_t type = checked_skip(spec->btf, array.type).id;

		if (!has_element(spec, &array, index) || !add_elements(spec, index, type))
			return 0;
		push(spec, type, index, NULL);
		return type;
	}
	return 0;
}

static int parse_field(struct co_re_spec *spec, const uint32_t *raw, uint32_t nr, struct error *err)
{
	struct btf_type_view t = checked_skip(spec->btf, spec->root);

	if (!add_elements(spec, raw[0], t.id))
		return error_set(err, EBADMSG, "a %s has no element %" PRIu32,
				 btf_kind_name(t.kind), raw[0]);
	push(spec, t.id, raw[0], NULL);
	for (uint32_t i = 1; i < nr; i++) {
		uint32_t type = step(spec, &t, raw[i]);

		if (!type)
			return error_set(err, EBADMSG,
					 "%s '%s' of %" PRIu32 " has no member %" PRIu32,
					 btf_kind_name(t.kind), t.name, t.vlen, raw[i]);
		t = checked_skip(spec->btf, type);
	}
	return 0;
}

int co_re_spec_parse(struct co_re_spec *spec, const struct btf *btf, struct btf_core_relo relo,
		     struct error *err)
{
	uint32_t raw[CO_RE_ACCESS_MAX], nr = 0;
	struct btf_type_view t = checked_skip(btf, relo.type_id);
	int ret = parse_access(btf_string(btf, relo.access_str_off), raw, &nr, err);

	if (ret)
		return ret;
	*spec = (struct co_re_spec){ .btf = btf, .kind = relo.kind, .root = relo.type_id };
	if (co_re_kind_is_field(relo.kind))
		return parse_field(spec, raw, nr, err);
	if (relo.kind > BPF_CORE_TYPE_MATCHES)
		return error_set(err, EBADMSG, "kind %" PRIu32 " is unknown", relo.kind);
	if (nr != 1 || (!co_re_kind_is_enum(relo.kind) && raw[0]))
		return error_set(err, EBADMSG, "the access string refers to a field");
	if (!co_re_kind_is_enum(relo.kind))
		return 0;
	if (!btf_kind_is_enum(t.kind) || raw[0] >= t.vlen)
		return error_set(err, EBADMSG, "%s '%s' of %" PRIu32 " has no enumerator %" PRIu32,
				 btf_kind_name(t.kind), t.name, t.vlen, raw[0]);
	push(spec, t.id, raw[0], checked_enumerator(btf, &t, raw[0]).name);
	return 0;
}

/*
 * Find the member named by @l in type @id, including in its anonymous members. Return 1 if found:
 * @out is one step longer, and *@next is the member's type.
 */
static int match_member(struct co_re_pair *pair, const struct co_re_spec *local,
			const struct co_re_access *l, uint32_t id, unsigned int depth,
			struct co_re_spec *out, uint32_t *next)
{
	struct btf_type_view t = checked_skip(out->btf, id),
			     lt = checked_type(local->btf, l->type);

	if (depth > CO_RE_DEPTH_MAX)
		return -ELOOP;
	for (uint32_t i = 0; btf_kind_is_composite(t.kind) && i < t.vlen; i++) {
		struct btf_member_view m = checked_member(out->btf, &t, i);
		int ret;

		if (++pair->steps > CO_RE_STEPS_MAX)
			return -ELOOP;
		if (!m.name[0]) {
			out->bit_offset += m.bit_offset;
			ret = match_member(pair, local, l, m.type, depth + 1, out, next);
			if (ret)
				return ret;
			out->bit_offset -= m.bit_offset;
		} else if (!strncmp(m.name, l->name, TYPE_NAME_MAX)) {
			ret = co_re_fields_compatible(pair,
						      checked_member(local->btf, &lt, l->index)
							      .type,
						      m.type);
			/* An incompatible member does not match; the caller may find another. */
			if (ret <= 0)
				return ret;
			*next = m.type;
			out->bit_offset += m.bit_offset;
			push(out, t.id, i, m.name);
			return 1;
		}
	}
	return 0;
}

static int match_element(const struct co_re_access *l, bool first, uint32_t id,
			 struct co_re_spec *out, uint32_t *next)
{
	struct btf_type_view t = checked_skip(out->btf, id);

	if (!first) {
		struct btf_array_view array;

		if (t.kind != BTF_KIND_ARRAY)
			return 0;
		array = btf_array(out->btf, &t);
		if (!has_element(out, &array, l->index))
			return 0;
		t = checked_skip(out->btf, array.type);
	}
	push(out, t.id, l->index, NULL);
	*next = t.id;
	return add_elements(out, l->index, t.id);
}

static int match_field(struct co_re_pair *pair, const struct co_re_spec *local,
		       struct co_re_spec *out)
{
	uint32_t id = out->root;
	int ret = 1;

	for (uint32_t i = 0; ret > 0 && i < local->nr; i++) {
		const struct co_re_access *l = &local->access[i];

		ret = l->name ? match_member(pair, local, l, id, 0, out, &id) :
				match_element(l, i == 0, id, out, &id);
	}
	return ret;
}

static int match_enumerator(struct co_re_pair *pair, const char *name, struct co_re_spec *out)
{
	struct btf_type_view t = checked_skip(out->btf, out->root);

	for (uint32_t i = 0; btf_kind_is_enum(t.kind) && i < t.vlen; i++) {
		const char *there = checked_enumerator(out->btf, &t, i).name;

		if (++pair->steps > CO_RE_STEPS_MAX)
			return -ELOOP;
		if (type_names_equal(name, there)) {
			push(out, t.id, i, there);
			return 1;
		}
	}
	return 0;
}

int co_re_spec_match(struct co_re_pair *pair, const struct co_re_spec *local, uint32_t root,
		     struct co_re_spec *out)
{
	*out = (struct co_re_spec){ .btf = pair->target, .kind = local->kind, .root = root };
	if (co_re_kind_is_field(local->kind))
		return match_field(pair, local, out);
	if (co_re_kind_is_enum(local->kind))
		return match_enumerator(pair, local->access[0].name, out);
	if (local->kind == BPF_CORE_TYPE_MATCHES)
		return co_re_types_match(pair, local->root, root, false, 0);
	return co_re_types_compatible(pair, local->root, root, 0);
}
