// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compute the value of a relocation of each kind in one BTF.
 *
 * FIELD_BYTE_OFFSET, _BYTE_SIZE and the shifts describe a load. A bit field is loaded as the
 * smallest aligned unit that contains it, shifted left to drop the upper bits, then right (little
 * endian):
 *
 *	int a : 20, b : 5;	bits of the unit  31       25 24   20 19          0
 *				                 +-----------+-------+-------------+
 *				                 |           |   b   |      a      |
 *				                 +-----------+-------+-------------+
 *	b: offset 0, size 4, LSHIFT_U64 = 64 - 25 = 39, RSHIFT_U64 = 64 - 5 = 59
 */
#include <errno.h>

#include "loader/objects/co_re/co_re_internal.h"

/* A field, and the smallest aligned unit that contains all its bits. */
struct field {
	uint64_t bit_offset, byte_offset;
	uint64_t bits, bytes;
	bool bitfield;
	struct btf_type_view type;
};

static int find_unit(struct field *f)
{
	f->bytes = f->type.size;
	if (!f->bytes)
		return -EUCLEAN;
	for (;; f->bytes *= 2) {
		if (f->bytes > 8)
			return -EUCLEAN;
		f->byte_offset = f->bit_offset / 8 / f->bytes * f->bytes;
		if (f->bit_offset + f->bits <= (f->byte_offset + f->bytes) * 8)
			return 0;
	}
}

static int find_field(const struct co_re_spec *spec, struct field *f)
{
	const struct co_re_access *last = &spec->access[spec->nr - 1];
	uint32_t type = last->type;
	int64_t size;

	*f = (struct field){ .bit_offset = spec->bit_offset };
	if (last->name) {
		struct btf_type_view t = checked_type(spec->btf, last->type);
		struct btf_member_view m = checked_member(spec->btf, &t, last->index);

		f->bits = m.bitfield_size;
		type = m.type;
	}
	f->type = checked_skip(spec->btf, type);
	f->bitfield = f->bits;
	if (f->bitfield)
		return find_unit(f);
	size = checked_size(spec->btf, type);
	if (size < 0)
		return -EUCLEAN;
	f->bytes = size;
	f->bits = f->bytes * 8;
	f->byte_offset = f->bit_offset / 8;
	return 0;
}

/* Set the size and type of a load at the field's offset; for an array, of its first element. */
static void set_load(const struct co_re_spec *spec, struct btf_type_view t, struct co_re_value *out)
{
	int64_t size;

	for (unsigned int depth = 0; t.kind == BTF_KIND_ARRAY && depth < CO_RE_DEPTH_MAX; depth++)
		t = checked_skip(spec->btf, btf_array(spec->btf, &t).type);
	size = checked_size(spec->btf, t.id);
	out->size = size > 0 && size <= UINT32_MAX ? size : 0;
	out->type = t.id;
}

static bool is_signed(const struct btf_type_view *t)
{
	if (btf_kind_is_enum(t->kind))
		return t->kind_flag;
	return t->kind == BTF_KIND_INT && (BTF_INT_ENCODING(t->extra) & BTF_INT_SIGNED);
}

/* Return the bits above the field once its unit is extended to 64 bits. */
static uint64_t left_shift(const struct field *f)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return 64 - (f->bit_offset + f->bits - f->byte_offset * 8);
#else
	return (8 - f->bytes) * 8 + (f->bit_offset - f->byte_offset * 8);
#endif
}

static int field_value(const struct co_re_spec *spec, struct co_re_value *out)
{
	struct field f;
	int ret = find_field(spec, &f);

	if (ret)
		return ret;
	/* A compiler may choose a different unit, but not the sign or the width. */
	out->certain = !f.bitfield;
	switch (spec->kind) {
	case BPF_CORE_FIELD_BYTE_OFFSET:
		out->value = f.byte_offset;
		if (!f.bitfield)
			set_load(spec, f.type, out);
		return 0;
	case BPF_CORE_FIELD_BYTE_SIZE:
		out->value = f.bytes;
		return 0;
	case BPF_CORE_FIELD_SIGNED:
		out->value = is_signed(&f.type);
		out->certain = true;
		return 0;
	case BPF_CORE_FIELD_LSHIFT_U64:
		out->value = left_shift(&f);
		return 0;
	default:
		out->value = 64 - f.bits;
		out->certain = true;
		return 0;
	}
}

static int type_size(const struct co_re_spec *spec, struct co_re_value *out)
{
	int64_t size = checked_size(spec->btf, spec->root);

	out->value = size;
	return size < 0 ? -EUCLEAN : 0;
}

int co_re_value(const struct co_re_spec *spec, struct co_re_value *out)
{
	struct btf_type_view t;

	*out = (struct co_re_value){ .value = 1, .certain = true };
	switch (spec->kind) {
	case BPF_CORE_FIELD_EXISTS:
	case BPF_CORE_TYPE_EXISTS:
	case BPF_CORE_TYPE_MATCHES:
	case BPF_CORE_ENUMVAL_EXISTS:
		return 0;
	case BPF_CORE_TYPE_ID_LOCAL:
	case BPF_CORE_TYPE_ID_TARGET:
		/* Tools that renumber types leave old ids in the instructions. */
		out->value = spec->root;
		out->certain = false;
		return 0;
	case BPF_CORE_TYPE_SIZE:
		return type_size(spec, out);
	case BPF_CORE_ENUMVAL_VALUE:
		t = checked_type(spec->btf, spec->access[0].type);
		out->value = checked_enumerator(spec->btf, &t, spec->access[0].index).value;
		if (t.kind_flag)
			out->sign = CO_RE_ENUM_SIGNED;
		else if (t.kind == BTF_KIND_ENUM)
			out->sign = CO_RE_ENUM_UNMARKED;
		return 0;
	default:
		return field_value(spec, out);
	}
}

bool co_re_may_be_absent(uint32_t kind)
{
	return kind == BPF_CORE_FIELD_EXISTS || kind == BPF_CORE_TYPE_EXISTS ||
	       kind == BPF_CORE_TYPE_MATCHES || kind == BPF_CORE_ENUMVAL_EXISTS ||
	       kind == BPF_CORE_TYPE_ID_TARGET || kind == BPF_CORE_TYPE_SIZE;
}
