// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks, type by type, the promises of elf/btf.h, elf/btf_ext.h and the accessors of CO-RE. */
#include "elf/elf_internal.h"
#include "loader/objects/co_re/co_re_internal.h"
#include "loader/objects/kernel_types/type_names.h"
#include "test/fuzz/walk.h"

/* Values are visited by paths, of which there may be 2^32, so limit the steps. */
#define VALUE_STEPS 64

/* The last byte of the strings is 0, so that one which begins inside ends there. */
static bool is_string(const struct btf *btf, const char *s)
{
	const char *first = (const char *)btf->strings.data;

	return !*s || (s >= first && s < first + btf->strings.size) ||
	       (btf->base && is_string(btf->base, s));
}

static void walk_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i)
{
	struct btf_member_view m = btf_member(btf, t, i);
	int64_t size;

	promise(m.type < btf->nr_types && is_string(btf, m.name));
	size = btf_size(btf, m.type);
	promise(size >= 0);
	if (m.bitfield_size)
		promise(bytes_hold(t->size * UINT64_C(8), m.bit_offset, m.bitfield_size));
	else
		promise(m.bit_offset % 8 == 0 && bytes_hold(t->size, m.bit_offset / 8, size));
}

static void walk_entry(const struct btf *btf, const struct btf_type_view *t, uint32_t i)
{
	struct btf_var_view var;

	switch (t->kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		walk_member(btf, t, i);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		promise(is_string(btf, btf_enumerator(btf, t, i).name));
		break;
	case BTF_KIND_FUNC_PROTO:
		promise(checked_param(btf, t, i) < btf->nr_types);
		break;
	case BTF_KIND_DATASEC:
		var = btf_datasec_var(btf, t, i);
		promise(var.type < btf->nr_types);
		promise(btf_type(btf, var.type).kind == BTF_KIND_VAR ||
			btf_type(btf, var.type).kind == BTF_KIND_FUNC);
		break;
	default:
		promise(!"a kind without entries has some");
	}
}

/* The accessors of both rooms agree on valid BTF, as far as the one for unchecked BTF counts. */
static void walk_size(const struct btf *btf, const struct btf_type_view *t)
{
	int64_t size = btf_size(btf, t->id), core = checked_size(btf, t->id);

	promise(size >= 0 || size == -22);
	promise(core == size || core < 0 || t->kind == BTF_KIND_VAR || t->kind == BTF_KIND_DATASEC);
	if (t->kind == BTF_KIND_STRUCT || t->kind == BTF_KIND_UNION || t->kind == BTF_KIND_INT)
		promise(size == t->size && core == size);
	if (t->kind == BTF_KIND_ARRAY && size > 0) {
		struct btf_array_view array = btf_array(btf, t);

		promise(size % array.nelems == 0);
		promise(btf_size(btf, array.type) == size / array.nelems);
	}
}

static void walk_type(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = btf_type(btf, id), skipped = btf_skip(btf, id);

	promise(t.id == id && is_string(btf, t.name) && t.type < btf->nr_types);
	promise((id || t.kind == BTF_KIND_UNKN) && btf_kind_name(t.kind)[0]);
	/* A type whose kind is skipped by its length is an UNKN with an id. */
	promise(t.kind == BTF_KIND_UNKN || btf_kind(t.kind));
	promise(skipped.kind == BTF_KIND_UNKN || !btf_kind(skipped.kind)->modifier);
	promise(checked_skip(btf, id).id == skipped.id);
	walk_size(btf, &t);
	if (t.kind == BTF_KIND_ARRAY)
		promise(btf_array(btf, &t).type < btf->nr_types &&
			btf_array(btf, &t).index_type < btf->nr_types);
	if (t.kind == BTF_KIND_FUNC)
		promise(btf_type(btf, t.type).kind == BTF_KIND_FUNC_PROTO &&
			t.extra <= BTF_FUNC_EXTERN);
	for (uint32_t i = 0; i < t.vlen; i++)
		walk_entry(btf, &t, i);
}

/* Like a printer of values, this relies on the limit on nesting. */
static void walk_value(const struct btf *btf, uint32_t id, unsigned int depth, unsigned int *steps)
{
	struct btf_type_view t = btf_skip(btf, id);

	promise(depth <= BTF_DEPTH_MAX + 1);
	if (!*steps)
		return;
	--*steps;
	if (t.kind == BTF_KIND_ARRAY)
		walk_value(btf, btf_array(btf, &t).type, depth + 1, steps);
	for (uint32_t i = 0; (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION) && i < t.vlen;
	     i++)
		walk_value(btf, btf_member(btf, &t, i).type, depth + 1, steps);
}

/* The first one with that kind and name; only for a few types, because each search is slow. */
static void walk_find(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = btf_type(btf, id), found;

	found = btf_type(btf, btf_find(btf, t.kind, t.name));
	promise(found.id && found.id <= id && found.kind == t.kind && !strcmp(found.name, t.name));
}

void walk_btf(const struct btf *btf)
{
	uint32_t step = 1 + btf->nr_types / 8;

	promise(btf->nr_types);
	promise(!btf_string(btf, btf->strings.size) && !btf_string(btf, 0)[0]);
	for (uint32_t id = 0; id < btf->nr_types; id++) {
		unsigned int steps = VALUE_STEPS;

		promise(id < 2 || btf->offsets[id] > btf->offsets[id - 1]);
		walk_type(btf, id);
		walk_value(btf, id, 0, &steps);
	}
	for (uint32_t id = 1; id < btf->nr_types; id += step)
		walk_find(btf, id);
}

void walk_indexed(const struct btf *btf)
{
	const uint32_t nr_types = btf_nr_types(btf);

	for (uint32_t id = 0; id <= nr_types; id++) {
		struct btf_type_view t = checked_type(btf, id);
		struct btf_type_view skipped = checked_skip(btf, id);
		int64_t size = checked_size(btf, id);

		promise(is_string(btf, t.name) && t.id == (id < nr_types ? id : 0));
		promise(skipped.kind == BTF_KIND_UNKN || !btf_kind(skipped.kind)->modifier);
		promise(size == -22 || (size >= 0 && size <= INT64_C(1) << 40));
		promise(type_name_essential(t.name) <= strlen(t.name));
		promise(type_names_equal(t.name, t.name));
		for (uint32_t i = 0; i < t.vlen; i++) {
			if (btf_kind_is_composite(t.kind))
				promise(is_string(btf, checked_member(btf, &t, i).name));
			else if (btf_kind_is_enum(t.kind))
				promise(is_string(btf, checked_enumerator(btf, &t, i).name));
			else if (t.kind == BTF_KIND_FUNC_PROTO)
				checked_type(btf, checked_param(btf, &t, i));
		}
	}
}

static void walk_records(const struct btf *btf, const struct btf_ext *ext, unsigned int kind,
			 const struct btf_ext_sec *sec)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < sec->num; i++) {
		struct btf_func_info func = btf_ext_func(ext, sec, i);

		promise(func.insn_off % 8 == 0 && func.insn_off >= last);
		last = func.insn_off;
		if (kind == 0) {
			promise(func.type_id < btf->nr_types);
			promise(btf_type(btf, func.type_id).kind == BTF_KIND_FUNC);
		} else if (kind == 1) {
			promise(btf_string(btf, btf_ext_line(ext, sec, i).line_off));
			promise(btf_string(btf, btf_ext_line(ext, sec, i).file_name_off));
		} else {
			promise(btf_ext_core(ext, sec, i).type_id < btf->nr_types);
			promise(btf_string(btf, btf_ext_core(ext, sec, i).access_str_off));
		}
	}
}

void walk_ext(const struct btf *btf, const struct btf_ext *ext)
{
	const struct btf_ext_info *infos[] = { &ext->func_info, &ext->line_info, &ext->core_relo };

	for (unsigned int kind = 0; kind < 3; kind++) {
		for (uint32_t i = 0; i < infos[kind]->nr_secs; i++) {
			const struct btf_ext_sec *sec = &infos[kind]->secs[i];

			promise(is_string(btf, sec->section));
			promise(sec->num &&
				(uint64_t)sec->num * sec->rec_size == sec->records.size);
			promise(btf_ext_find(infos[kind], sec->section) == sec);
			promise(!i || strcmp(infos[kind]->secs[i - 1].section, sec->section) < 0);
			walk_records(btf, ext, kind, sec);
		}
	}
}
