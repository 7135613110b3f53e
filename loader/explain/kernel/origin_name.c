// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Name the variable, member, map or parameter that a register's value came from. A name is given
 * only if BTF and the instructions determine it; stack slots have no names in BTF.
 */
#include <stdio.h>
#include <string.h>

#include "loader/explain/kernel/diagnosis.h"
#include "loader/core/object/relocate.h"

/* Maximum nesting of structs and arrays. */
#define DEPTH_MAX 8

/* An unmodified pointer, which only a spill can have put on the stack. */
#define EXACT_POINTER (VERDICT_EXACT | VERDICT_NULL)

/* The object that an address points into. */
struct base {
	enum { BASE_UNKNOWN, BASE_MAP, BASE_DATA, BASE_VALUE, BASE_PARAMETER } kind;
	uint32_t map;		/* map index; PARAMETER: unused */
	int64_t offset;		/* DATA: offset in the section; otherwise 0 */
	const char *name;	/* PARAMETER */
	uint32_t type;		/* VALUE, PARAMETER: type of the object; 0: unknown */
};

static const struct bpf_insn *insn_at(const struct naming *n, uint32_t step)
{
	return &n->code->insns[n->path->steps[step].insn];
}

/* Return the parameter in a register at the start of the path, or a type of 0. */
static struct btf_param_view parameter(const struct naming *n, int reg)
{
	const struct btf_param_view none = { .name = "" };
	struct btf_type_view proto;
	uint32_t func = 0;

	for (uint32_t i = 0; i < n->code->nr_func_info && n->path->nr; i++)
		if (n->code->func_info[i].insn_off == n->path->steps[0].insn)
			func = n->code->func_info[i].type_id;
	if (!func || !n->obj->has_btf)
		return none;	/* the log starts in the middle of a function */
	proto = btf_skip(&n->obj->btf, btf_type(&n->obj->btf, func).type);
	if (proto.kind != BTF_KIND_FUNC_PROTO || (uint32_t)reg > proto.vlen)
		return none;
	/* A 16-byte struct occupies two registers. */
	for (int i = 0; i < reg; i++)
		if (btf_size(&n->obj->btf, btf_param(&n->obj->btf, &proto, i).type) > 8)
			return none;
	return btf_param(&n->obj->btf, &proto, reg - 1);
}

/* Return what the ldimm64 of @step loads: a map, or an address in a data section. */
static struct base constant(const struct naming *n, uint32_t step)
{
	const struct bpf_insn *insn = insn_at(n, step);
	const uint32_t map = prog_code_map(n->code, n->path->steps[step].insn);
	struct base b = { .map = map };

	if (insn->code != (BPF_LD | BPF_IMM | BPF_DW) || map >= n->obj->nr_maps)
		return b;
	if (insn->src_reg == BPF_PSEUDO_MAP_FD)
		b.kind = BASE_MAP;
	/* An arena's variables do not start at offset 0: arena_data.c. */
	if (insn->src_reg == BPF_PSEUDO_MAP_VALUE &&
	    n->obj->maps[map].type != BPF_MAP_TYPE_ARENA) {
		b.kind = BASE_DATA;
		b.offset = (uint32_t)insn[1].imm;
	}
	return b;
}

/* Return the map in the first argument of the call in @step. */
static struct base map_argument(const struct naming *n, uint32_t step)
{
	const struct verifier_origin o =
		verifier_path_origin(n->path, step, BPF_REG_1, EXACT_POINTER);
	const struct base b = o.kind == ORIGIN_CONSTANT ? constant(n, o.step) : (struct base){ 0 };

	return b.kind == BASE_MAP ? b : (struct base){ 0 };
}

static struct base base_of(const struct naming *n, const struct verifier_origin *o)
{
	const struct bpf_insn lookup = { .code = BPF_JMP | BPF_CALL,
					 .imm = BPF_FUNC_map_lookup_elem };
	struct base b = { 0 };

	if (o->kind == ORIGIN_CONSTANT)
		return constant(n, o->step);
	if (o->kind == ORIGIN_CALL && !memcmp(insn_at(n, o->step), &lookup, sizeof(lookup))) {
		b = map_argument(n, o->step);
		if (b.kind) {
			b.kind = BASE_VALUE;
			b.type = n->obj->maps[b.map].value_type;
		}
	} else if (o->kind == ORIGIN_ARGUMENT) {
		const struct btf_param_view p = parameter(n, o->reg);
		const struct btf_type_view t = btf_skip(&n->obj->btf, p.type);

		b = (struct base){ .kind = p.name[0] ? BASE_PARAMETER : BASE_UNKNOWN,
				   .name = p.name,
				   .type = t.kind == BTF_KIND_PTR ? t.type : 0 };
	}
	return b;
}

/*
 * Descend from @t to the member that contains the @size bytes at @off. Return false if none does.
 */
static bool descend(const struct btf *btf, struct btf_type_view *t, int64_t *off, int64_t size,
		    char *part, size_t room)
{
	if (t->kind == BTF_KIND_ARRAY) {
		const struct btf_array_view a = btf_array(btf, t);
		const int64_t each = btf_size(btf, a.type);

		if (each <= 0 || *off / each >= a.nelems || *off % each + size > each)
			return false;
		snprintf(part, room, "[%lld]", (long long)(*off / each));
		*off %= each;
		*t = btf_skip(btf, a.type);
		return true;
	}
	for (uint32_t i = 0; t->kind == BTF_KIND_STRUCT && i < t->vlen; i++) {
		const struct btf_member_view m = btf_member(btf, t, i);
		const int64_t at = m.bit_offset / 8;

		if (m.bitfield_size || *off < at || *off + size > at + btf_size(btf, m.type))
			continue;
		snprintf(part, room, "%s%s", m.name[0] ? "." : "", m.name);
		*off -= at;
		*t = btf_skip(btf, m.type);
		return true;
	}
	return false;	/* a scalar; in a union it could be any member */
}

/* Write the path to the @size bytes at @off in a value of type @id: ".pid", "[3].a", or "". */
static void part_name(const struct btf *btf, uint32_t id, int64_t off, int64_t size, char *to,
		      size_t room)
{
	struct btf_type_view t = btf_skip(btf, id);
	char part[64];
	size_t n = 0;

	to[0] = '\0';
	for (int depth = 0; depth < DEPTH_MAX && off >= 0 && n < room; depth++) {
		if (!descend(btf, &t, &off, size, part, sizeof(part)))
			return;
		n += snprintf(to + n, room - n, "%s", part);
	}
}

/* Name the section's variable, and member, that contains the @size bytes at @off. */
static void variable_name(const struct naming *n, const struct base *b, int64_t off, int64_t size,
			  char *to, size_t room)
{
	const struct btf *btf = &n->obj->btf;
	const struct btf_type_view section =
		btf_type(btf, n->obj->has_btf ? n->obj->maps[b->map].data_type : 0);
	char part[64];

	for (uint32_t i = 0; section.id && i < section.vlen; i++) {
		const struct btf_var_view entry = btf_datasec_var(btf, &section, i);
		const struct btf_type_view var = btf_type(btf, entry.type);

		if (off < entry.offset || off + size > (int64_t)entry.offset + entry.size)
			continue;
		part_name(btf, var.type, off - entry.offset, size, part, sizeof(part));
		snprintf(to, room, "variable '%.40s%.40s'", var.name, part);
		return;
	}
}

/* Name what the instruction in @step loads. */
static void loaded_name(const struct naming *n, uint32_t step, char *to, size_t room)
{
	static const uint8_t sizes[] = { 4, 2, 1, 8 };	/* BPF_W, BPF_H, BPF_B, BPF_DW */
	const struct bpf_insn *insn = insn_at(n, step);
	const int64_t size = sizes[BPF_SIZE(insn->code) >> 3];
	struct verifier_origin o;
	struct base b;
	char part[64];

	if (!n->obj->has_btf || BPF_CLASS(insn->code) != BPF_LDX)
		return;
	o = verifier_path_origin(n->path, step, insn->src_reg, EXACT_POINTER);
	b = base_of(n, &o);
	if (b.kind == BASE_DATA)
		variable_name(n, &b, b.offset + insn->off, size, to, room);
	if ((b.kind != BASE_VALUE && b.kind != BASE_PARAMETER) || !b.type)
		return;
	part_name(&n->obj->btf, b.type, insn->off, size, part, sizeof(part));
	if (b.kind == BASE_VALUE && part[0] == '.')
		snprintf(to, room, "'%.40s' of map '%.30s'", part + 1, n->obj->maps[b.map].name);
	else if (b.kind == BASE_VALUE)
		snprintf(to, room, "a value of map '%.30s'", n->obj->maps[b.map].name);
	else if (part[0] == '.')
		snprintf(to, room, "%.30s->%.40s", b.name, part + 1);
}

static void base_name(const struct naming *n, const struct base *b, char *to, size_t room)
{
	char variable[128] = "";

	switch (b->kind) {
	case BASE_UNKNOWN:
		break;
	case BASE_MAP:
		snprintf(to, room, "map '%.60s'", n->obj->maps[b->map].name);
		break;
	case BASE_DATA:
		variable_name(n, b, b->offset, 1, variable, sizeof(variable));
		if (variable[0])
			snprintf(to, room, "the address of %s", variable);
		break;
	case BASE_VALUE:
		snprintf(to, room, "a pointer to a value of map '%.60s'",
			 n->obj->maps[b->map].name);
		break;
	case BASE_PARAMETER:
		snprintf(to, room, "'%.60s'", b->name);
		break;
	}
}

void origin_name(const struct naming *n, const struct verifier_origin *o, char *to, size_t room)
{
	struct base b;

	to[0] = '\0';
	if (o->kind == ORIGIN_LOAD) {
		loaded_name(n, o->step, to, room);
		return;
	}
	b = o->kind == ORIGIN_CALL ? map_argument(n, o->step) : base_of(n, o);
	base_name(n, &b, to, room);
}

void value_name(const struct naming *n, int reg, char *to, size_t room)
{
	const struct verifier_origin o =
		verifier_path_origin(n->path, n->path->nr - 1, reg, VERDICT_EXACT);
	const struct base b = base_of(n, &o);

	to[0] = '\0';
	if (o.kind == ORIGIN_LOAD)
		loaded_name(n, o.step, to, room);
	else
		base_name(n, &b, to, room);
}
