// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The members of structs, unions and enums. If the compiler would place a member at a different
 * offset, unnamed bit fields, which are not members in BTF, fill the gap.
 *
 *	struct x {		offset of a: 0, of b: 16, size 24
 *		char a;
 *		long: 64;	rounds up to 8, and fills 8 to 16
 *		char b;
 *		long: 0;	to the end
 *	};
 */
#include <inttypes.h>

#include "loader/tools/inspect/types/types_internal.h"

#define BYTE UINT64_C(8)	/* bits */

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/* --- alignment --- */

static uint32_t align_of_members(struct c_types *c, const struct btf_type_view *t,
				 unsigned int depth)
{
	uint32_t max = 1;

	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_member_view m = checked_member(c->btf, t, i);
		const uint32_t align = c_align(c, m.type, depth + 1);

		max = align > max ? align : max;
		if (!m.bitfield_size && m.bit_offset % (BYTE * align))
			return 1;	/* packed */
	}
	return t->size % max ? 1 : max;
}

uint32_t c_align(struct c_types *c, uint32_t id, unsigned int depth)
{
	const struct btf_type_view t = checked_skip(c->btf, id);
	struct c_type_state *state = t.id < c->nr ? &c->states[t.id] : NULL;
	uint32_t align = 1;

	if (!state || depth > C_DEPTH_MAX)
		return 1;
	if (state->align)
		return state->align;
	state->align = 1;	/* hostile: the type contains itself */
	if (t.kind == BTF_KIND_PTR)
		align = c->btf->pointer_size;
	else if (t.kind == BTF_KIND_ARRAY)
		align = c_align(c, btf_array(c->btf, &t).type, depth + 1);
	else if (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION)
		align = align_of_members(c, &t, depth);
	else if (t.kind == BTF_KIND_INT || t.kind == BTF_KIND_ENUM || t.kind == BTF_KIND_ENUM64 ||
		 t.kind == BTF_KIND_FLOAT)
		align = t.size && t.size < 16 ? t.size : 16;
	state->align = align ? align : 1;
	return state->align;
}

static bool is_packed(struct c_types *c, const struct btf_type_view *t, unsigned int depth)
{
	uint32_t max = 1;

	for (uint32_t i = 0; i < t->vlen; i++) {
		const struct btf_member_view m = checked_member(c->btf, t, i);
		const uint32_t align = c_align(c, m.type, depth + 1);

		if (!m.bitfield_size && m.bit_offset % (BYTE * align))
			return true;
		max = align > max ? align : max;
	}
	return t->size % max;
}

/* --- padding --- */

static void indent(struct c_types *c, struct c_text *to, unsigned int level)
{
	c_put(c, to, "\n");
	while (level--)
		c_put(c, to, "\t");
}

static const struct {
	const char *name;
	unsigned int bits;
} pads[] = { { "long", 64 }, { "int", 32 }, { "short", 16 }, { "char", 8 } };

/*
 * Fill the bits from @at to @next, where a member of alignment @align begins. First round up to the
 * largest type that does not extend past @next, then fill with as many of that type as fit.
 */
static void pad(struct c_types *c, struct c_text *to, uint64_t at, uint64_t next, uint64_t align,
		bool in_bit_field, unsigned int level)
{
	uint64_t up = at;
	size_t p = 0;

	if (at >= next)
		return;
	while (up = round_up(at, pads[p].bits), up > next && p < 3)
		p++;
	if (up > at && up <= next) {
		/* The compiler rounds up by itself if the member needs it. */
		if (in_bit_field || (up == next && round_up(at, align * BYTE) != up) ||
		    (up != next && next - up <= up - at)) {
			indent(c, to, level);
			c_put(c, to, "%s: %" PRIu64 ";", pads[p].name, in_bit_field ? up - at : 0);
		}
		at = up;
	}
	while (at < next && !c_stopped(c)) {
		const uint64_t bits = next - at < pads[p].bits ? next - at : pads[p].bits;
		size_t type = p;

		for (size_t i = 4; bits < pads[p].bits && i-- > 0;) {
			type = i;
			if (pads[i].bits >= bits)
				break;
		}
		indent(c, to, level);
		c_put(c, to, "%s: %" PRIu64 ";", pads[type].name, bits);
		at += bits;
	}
}

/* --- members --- */

static void put_members(struct c_types *c, struct c_text *to, const struct btf_type_view *t,
			unsigned int level, unsigned int depth)
{
	const bool is_struct = t->kind == BTF_KIND_STRUCT;
	const bool packed = is_struct && is_packed(c, t, depth);
	uint64_t at = 0;
	bool in_bit_field = false;

	for (uint32_t i = 0; i < t->vlen && !c_stopped(c); i++) {
		const struct btf_member_view m = checked_member(c->btf, t, i);
		const int64_t size = checked_size(c->btf, m.type);

		if (is_struct)
			pad(c, to, at, m.bit_offset, packed ? 1 : c_align(c, m.type, depth),
			    in_bit_field && m.bitfield_size, level + 1);
		indent(c, to, level + 1);
		c_declare(c, to, m.type, m.name[0] ? m.name : NULL, level + 1, depth + 1);
		if (m.bitfield_size)
			c_put(c, to, ": %" PRIu32, m.bitfield_size);
		c_put(c, to, ";");
		at = m.bit_offset + (m.bitfield_size ? m.bitfield_size :
				     size > 0 ? (uint64_t)size * BYTE : 0);
		in_bit_field = m.bitfield_size;
	}
	if (is_struct || !t->vlen)	/* DWARF may lack the members of a union */
		pad(c, to, at, t->size * BYTE, packed ? 1 : c_align(c, t->id, depth), false,
		    level + 1);
	if (t->vlen || t->size)
		indent(c, to, level);
	c_put(c, to, packed ? "} __attribute__((packed))" : "}");
}

static void put_enumerators(struct c_types *c, struct c_text *to, const struct btf_type_view *t,
			    unsigned int level)
{
	for (uint32_t i = 0; i < t->vlen && !c_stopped(c); i++) {
		const struct btf_enumerator_view e = checked_enumerator(c->btf, t, i);
		const uint32_t number = c_number(c, C_ORDINARY, e.name);

		indent(c, to, level + 1);
		c_put_name(c, to, e.name);
		if (number > 1)
			c_put(c, to, "___%" PRIu32, number);
		if (t->kind_flag && (int64_t)e.value == INT64_MIN)
			c_put(c, to, " = -9223372036854775807LL - 1,");
		else if (t->kind_flag)
			c_put(c, to, " = %" PRId64 "%s,", (int64_t)e.value,
			      t->kind == BTF_KIND_ENUM64 ? "LL" : "");
		else
			c_put(c, to, " = %" PRIu64 "%s,", e.value,
			      t->kind == BTF_KIND_ENUM64 ? "ULL" :
			      e.value > INT32_MAX	 ? "U" : "");
	}
	indent(c, to, level);
	c_put(c, to, "}");
	if (t->size != 4 && !(t->size == 8 && t->kind == BTF_KIND_ENUM64))
		c_put(c, to, " __attribute__((mode(%s)))", t->size == 1 ? "QI" :
							    t->size == 2 ? "HI" : "DI");
}

void c_define_members(struct c_types *c, struct c_text *to, const struct btf_type_view *t,
		      unsigned int level, unsigned int depth)
{
	c_put(c, to, "{");
	if (depth > C_DEPTH_MAX)
		c_put(c, to, " }");
	else if (t->kind == BTF_KIND_ENUM || t->kind == BTF_KIND_ENUM64)
		put_enumerators(c, to, t, level);
	else
		put_members(c, to, t, level, depth);
}
