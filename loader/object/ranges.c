// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which relocations, and which records of .BTF.ext, are about which function. All ascend as the
 * instructions do: one walk beside the functions of a section finds them, once for all programs
 * that a function is linked into.
 */
#include <errno.h>
#include <stdlib.h>

#include "loader/object/object_internal.h"

/* The relocations of the function, behind those of the one before it. */
static struct object_range next_relocs(const struct object_code_section *code, uint32_t first,
				       const struct object_func *f)
{
	struct object_range r;

	while (first < code->nr_relocs && code->relocs[first].insn < f->insn_off)
		first++;
	r.first = r.end = first;
	while (r.end < code->nr_relocs && code->relocs[r.end].insn - f->insn_off < f->insn_cnt)
		r.end++;
	return r;
}

/* Likewise its records. Each begins with its offset in bytes. */
static struct object_range next_records(const struct btf_ext *ext, const struct btf_ext_sec *sec,
					uint32_t first, const struct object_func *f)
{
	const uint32_t nr = sec ? sec->num : 0;
	const uint64_t begin = (uint64_t)f->insn_off * sizeof(struct bpf_insn);
	const uint64_t end = begin + (uint64_t)f->insn_cnt * sizeof(struct bpf_insn);
	struct object_range r;

	while (first < nr && btf_ext_insn_off(ext, sec, first) < begin)
		first++;
	r.first = r.end = first;
	while (r.end < nr && btf_ext_insn_off(ext, sec, r.end) < end)
		r.end++;
	return r;
}

int find_ranges(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const struct object_func none = { .section = UINT32_MAX }, *last = &none;

	for (uint32_t i = 0; i < obj->nr_funcs; i++) {
		struct object_func *f = &obj->funcs[i];
		const struct object_code_section *code;

		if (f->section != last->section)
			last = &none;
		f->code = p->sections[f->section].index;
		code = &obj->code[f->code];
		f->relocs = next_relocs(code, last->relocs.end, f);
		f->func_info = next_records(&obj->ext, code->func_info, last->func_info.end, f);
		f->line_info = next_records(&obj->ext, code->line_info, last->line_info.end, f);
		f->core_relo = next_records(&obj->ext, code->core_relo, last->core_relo.end, f);
		last = f;
	}
	obj->linked = calloc(obj->nr_funcs + UINT64_C(1), sizeof(*obj->linked));
	obj->link_order = calloc(obj->nr_funcs + UINT64_C(1), sizeof(*obj->link_order));
	if (!obj->linked || !obj->link_order)
		return error_set(err, ENOMEM, "no memory for %u functions", obj->nr_funcs);
	return 0;
}
