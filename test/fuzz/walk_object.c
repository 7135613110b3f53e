// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks that an object and its linked programs keep what loader/core/object/relocate.h promises. */
#include <stdlib.h>

#include "loader/core/object/parse.h"
#include "loader/objects/analysis/stack_fields.h"
#include "test/fuzz/walk.h"

#define MAX_PROGS 16	/* of an object; each may link all its functions */
#define FIRST_FD 1000	/* of the maps, which do not exist */

static void walk_slots(const struct bpf_object *obj, const struct object_map *map)
{
	bool progs = map->type == BPF_MAP_TYPE_PROG_ARRAY;

	promise(!map->nr_slots || map->has_values);
	for (uint32_t i = 0; i < map->nr_slots; i++) {
		const struct object_slot *slot = &map->slots[i];

		promise(slot->target < (progs ? obj->nr_progs : obj->nr_maps));
		promise(i == 0 || slot[-1].index < slot->index);
		promise(bytes_hold(map->size, map->values_at + slot->index * UINT64_C(8), 8));
	}
}

static void walk_struct(const struct bpf_object *obj, const struct object_map *map)
{
	promise(map->type == BPF_MAP_TYPE_STRUCT_OPS && map->content && !map->data_size);
	promise(btf_type(&obj->btf, map->struct_type).kind == BTF_KIND_STRUCT);
	promise(btf_type(&obj->btf, map->struct_type).size == map->size);
	for (uint32_t i = 0; i < map->nr_slots; i++) {
		const struct object_slot *slot = &map->slots[i];
		const struct object_prog *prog = &obj->progs[slot->target];

		promise(slot->target < obj->nr_progs);
		promise(prog->kind->prog_type == BPF_PROG_TYPE_STRUCT_OPS);
		promise(i == 0 || slot[-1].index + 8 <= slot->index);
		promise(bytes_hold(map->size, slot->index, 8));
	}
	for (uint64_t k = 0; k < map->size; k += 64)
		promise(map->content[k] <= 255);	/* it is there */
}

static void walk_map(const struct bpf_object *obj, uint32_t i)
{
	const struct object_map *map = &obj->maps[i];
	uint32_t nr_types = obj->has_btf ? obj->btf.nr_types : 1;

	promise(map->name[0] || map->kind == OBJECT_MAP_LEGACY || !map->section);
	promise(map->section < obj->image.nr_sections);
	promise(map->inner >= -1 && map->inner < (int)obj->nr_maps && map->inner != (int)i);
	promise(map->key_type < nr_types && map->value_type < nr_types);
	if (map->kind == OBJECT_MAP_STRUCT_OPS)
		walk_struct(obj, map);
	else
		walk_slots(obj, map);
	if (!map->section) {	/* the pattern of the maps in a map */
		promise(map->inner < 0);
		promise(map->kind == OBJECT_MAP_BTF ||
			(map->kind == OBJECT_MAP_DATA && map->read_only && map->value_type));
		return;
	}
	promise(bytes_hold(obj->image.sections[map->section].size, map->offset, map->size));
	if (map->kind == OBJECT_MAP_DATA)
		promise(map->value_size == map->size && map->max_entries == 1);
	promise(map->data_section < obj->image.nr_sections && map->data_type < nr_types);
	promise(!map->data_type || btf_type(&obj->btf, map->data_type).kind == BTF_KIND_DATASEC);
	for (uint32_t k = 0; map->content && k < map->data_size; k += 64)
		promise(map->content[k] <= 255);	/* it is there */
}

/*
 * The range has the records of this function and no others, in order, following the previous range.
 */
static void walk_range(const struct bpf_object *obj, const struct object_func *f,
		       struct object_range range, uint32_t before, const struct btf_ext_sec *sec)
{
	const uint32_t nr = sec ? sec->num : 0;

	promise(before <= range.first && range.first <= range.end && range.end <= nr);
	for (uint32_t i = before; i <= range.end && i < nr; i++) {
		const uint32_t insn = btf_ext_insn_off(&obj->ext, sec, i) / sizeof(struct bpf_insn);

		if (i < range.first)
			promise(insn < f->first_insn);
		else if (i < range.end)
			promise(insn >= f->first_insn && insn - f->first_insn < f->insn_cnt);
		else
			promise(insn >= f->first_insn && insn - f->first_insn >= f->insn_cnt);
	}
}

static void walk_ranges(const struct bpf_object *obj, uint32_t i)
{
	static const struct object_func none;
	const struct object_func *f = &obj->funcs[i];
	const struct object_func *last = i && f[-1].section == f->section ? f - 1 : &none;
	const struct object_code_section *code = &obj->code[f->code];

	promise(f->code < obj->nr_code && code->section == f->section);
	walk_range(obj, f, f->func_info, last->func_info.end, code->func_info);
	walk_range(obj, f, f->line_info, last->line_info.end, code->line_info);
	walk_range(obj, f, f->core_relo, last->core_relo.end, code->core_relo);
	promise(last->relocs.end <= f->relocs.first && f->relocs.end <= code->nr_relocs);
	for (uint32_t k = last->relocs.end; k < f->relocs.end; k++) {
		const bool inside = code->relocs[k].insn >= f->first_insn &&
				    code->relocs[k].insn - f->first_insn < f->insn_cnt;

		promise(inside == (k >= f->relocs.first));
	}
	promise(!obj->linked[i]);
}

static void walk_func(const struct bpf_object *obj, uint32_t i)
{
	const struct object_func *f = &obj->funcs[i];
	uint64_t nr_insns = obj->image.sections[f->section].size / sizeof(struct bpf_insn);

	promise(f->name && f->insn_cnt && bytes_hold(nr_insns, f->first_insn, f->insn_cnt));
	promise(func_find(obj, f->section, f->first_insn) == i);
	promise(i == 0 || f[-1].section < f->section ||
		(f[-1].section == f->section && f[-1].first_insn + f[-1].insn_cnt <= f->first_insn));
	walk_ranges(obj, i);
}

static void walk_extern(const struct bpf_object *obj, const struct object_extern *e)
{
	promise(e->name[0] && (!e->type || e->type < obj->btf.nr_types));
	if (e->kind == OBJECT_EXTERN_KCONFIG) {
		promise(e->map < obj->nr_maps && e->size);
		promise(!strcmp(obj->maps[e->map].name, ".kconfig"));
		promise(bytes_hold(obj->maps[e->map].value_size, e->offset, e->size));
		promise(btf_size(&obj->btf, e->type) == e->size);
	} else if (e->kind == OBJECT_EXTERN_KFUNC && e->type) {
		promise(btf_type(&obj->btf, e->type).kind == BTF_KIND_FUNC_PROTO);
	}
}

static void walk_reloc(const struct bpf_object *obj, const struct object_reloc *r)
{
	switch (r->kind) {
	case OBJECT_RELOC_MAP:
	case OBJECT_RELOC_DATA:
		promise(r->index < obj->nr_maps);
		promise(r->kind == OBJECT_RELOC_MAP || r->offset < obj->maps[r->index].data_size);
		break;
	case OBJECT_RELOC_CALL:
	case OBJECT_RELOC_FUNC:
		promise(r->index < obj->nr_funcs && obj->funcs[r->index].called);
		break;
	case OBJECT_RELOC_KCONFIG:
		promise(r->index < obj->nr_externs && r->offset < obj->externs[r->index].size);
		promise(obj->externs[r->index].kind == OBJECT_EXTERN_KCONFIG);
		break;
	case OBJECT_RELOC_KSYM:
	case OBJECT_RELOC_KFUNC:
		promise(r->index < obj->nr_externs);
		promise(obj->externs[r->index].kind != OBJECT_EXTERN_KCONFIG);
		break;
	case OBJECT_RELOC_JUMP_TABLE:
	case OBJECT_RELOC_UNRESOLVED:
		promise(r->index < obj->image.nr_symbols);
		break;
	case OBJECT_RELOC_REFUSED:
		promise(r->index < obj->nr_refused && obj->refused[r->index].code < 0);
		break;
	}
}

static void walk_code_section(const struct bpf_object *obj, uint32_t i)
{
	const struct object_code_section *code = &obj->code[i];

	promise(i == 0 || code[-1].section < code->section);
	for (uint32_t k = 0; k < code->nr_relocs; k++) {
		promise(code->relocs[k].insn < obj->image.sections[code->section].size / 8);
		promise(k == 0 || code->relocs[k - 1].insn < code->relocs[k].insn);
		walk_reloc(obj, &code->relocs[k]);
	}
}

/* Each older form of the BTF has one more type than the original, and can be indexed. */
static void walk_older(const struct bpf_object *obj)
{
	struct btf_compat older = { 0 };

	while (btf_compat_next(obj, &older) > 0) {
		struct btf btf;

		promise(!btf_index(&btf, (struct bytes){ .data = older.raw, .size = older.size },
				   NULL));
		promise(btf.nr_types == obj->btf.nr_types + 1);
		btf_free(&btf);
	}
	btf_compat_free(&older);
	btf_compat_untag(obj, &older);
	btf_compat_free(&older);
}

void walk_object(const struct bpf_object *obj)
{
	walk_image(&obj->image);
	if (obj->has_btf) {
		walk_older(obj);
		walk_btf(&obj->btf);
		walk_ext(&obj->btf, &obj->ext);
	}
	promise(obj->license);
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		walk_map(obj, i);
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		walk_extern(obj, &obj->externs[i]);
	for (uint32_t i = 0; i < obj->nr_funcs; i++)
		walk_func(obj, i);
	for (uint32_t i = 0; i < obj->nr_code; i++)
		walk_code_section(obj, i);
	for (uint32_t i = 0; i < obj->nr_progs; i++) {
		const struct object_prog *prog = &obj->progs[i];
		const char *target;

		promise(prog->name && prog->kind && prog->func < obj->nr_funcs);
		promise(prog->exception_cb <= obj->nr_funcs);
		if (prog->kind == &prog_kind_unknown) {
			promise(!prog_kind_find(prog->section, &target) && !prog->target);
			continue;
		}
		promise(prog_kind_find(prog->section, &target) == prog->kind);
		promise(target == prog->target);
	}
}

static bool starts_func(const struct prog_code *code, int64_t insn)
{
	uint32_t low = 0, high = code->nr_func_info;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (code->func_info[mid].insn_off < insn)
			low = mid + 1;
		else
			high = mid;
	}
	return low < code->nr_func_info && code->func_info[low].insn_off == insn;
}

/* Each call and each function address leads to the start of a function. */
static void walk_insns(const struct prog_code *code)
{
	for (uint32_t i = 0; i < code->nr_insns; i++) {
		struct bpf_insn insn = code->insns[i];
		int64_t to = (int64_t)i + 1 + insn.imm;

		if ((insn_is_call(insn) && insn.src_reg == BPF_PSEUDO_CALL) ||
		    (insn_is_ldimm64(insn) && insn.src_reg == BPF_PSEUDO_FUNC)) {
			promise(to >= 0 && to < code->nr_insns);
			promise(!code->nr_func_info || starts_func(code, to));
		}
		promise(!insn_is_ldimm64(insn) || i + 1 < code->nr_insns);
		i += insn_is_ldimm64(insn);
	}
}

static void walk_info(const struct bpf_object *obj, const struct prog_code *code)
{
	promise(!code->nr_func_info || !code->func_info[0].insn_off);
	promise(!code->nr_line_info || !code->line_info[0].insn_off);
	for (uint32_t i = 0; i < code->nr_func_info; i++) {
		const struct bpf_func_info *f = &code->func_info[i];

		promise(f->insn_off < code->nr_insns && (!i || f[-1].insn_off < f->insn_off));
		promise(f->type_id < obj->btf.nr_types);
	}
	for (uint32_t i = 0; i < code->nr_line_info; i++) {
		const struct bpf_line_info *l = &code->line_info[i];

		promise(l->insn_off < code->nr_insns && (!i || l[-1].insn_off < l->insn_off));
		promise(btf_string(&obj->btf, l->line_off));
	}
}

void walk_code(const struct bpf_object *obj, const int *map_fds, const struct prog_code *code)
{
	promise(code->nr_insns && code->nr_insns <= 1000000);
	walk_insns(code);
	walk_info(obj, code);
	for (uint32_t i = 0; i < code->nr_map_refs; i++) {
		const struct prog_map_ref *ref = &code->map_refs[i];
		struct bpf_insn insn = code->insns[ref->insn];

		promise(ref->insn + 1 < code->nr_insns && ref->map < obj->nr_maps);
		promise(i == 0 || ref[-1].insn < ref->insn);
		promise(insn_is_ldimm64(insn) && insn.imm == map_fds[ref->map]);
		promise(insn.src_reg == BPF_PSEUDO_MAP_FD || insn.src_reg == BPF_PSEUDO_MAP_VALUE);
	}
	for (uint32_t i = 0; i < code->nr_core_relos; i++)
		promise(code->core_relos[i].insn_off / 8 < code->nr_insns);
}

void walk_uses(struct bpf_object *obj, struct co_re *core, struct map_usage *usage)
{
	int *fds = calloc(obj->nr_maps + 1, sizeof(*fds));
	struct failure_counts failures = { 0 };
	struct stack_fields fields = { 0 };
	struct error err = { 0 };
	char name[128];

	if (!fds)
		abort();
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		fds[i] = FIRST_FD + i;
	walk_error(stack_fields_by_tags(obj, &fields, &err), &err);
	for (uint32_t i = 0; i < obj->nr_progs && i < MAX_PROGS; i++) {
		struct prog_code code;

		co_re_begin_prog(core);
		if (!walk_error(relocate(obj, i, fds, &code, &err), &err)) {
			promise(!code.insns && !code.nr_insns && !code.core_relos);
			continue;
		}
		walk_code(obj, fds, &code);
		walk_error(map_usage_scan(&code, usage, &failures, obj->maps, &err), &err);
		walk_error(stack_fields_scan(obj, &code, &fields, &err), &err);
		prog_code_free(&code);
	}
	for (uint32_t i = 0; i < fields.nr; i++) {
		promise(fields.list[i].map < obj->nr_maps && fields.list[i].stacks < obj->nr_maps);
		if (fields.list[i].part == STACK_FIELD_KEY && obj->has_btf)
			stack_field_name(&obj->btf, obj->maps[fields.list[i].map].key_type,
					 fields.list[i].offset, name, sizeof(name));
	}
	stack_fields_free(&fields);
	for (uint32_t i = 0; i < failures.nr; i++)
		promise(failures.list[i].map < obj->nr_maps &&
			(failures.list[i].data < obj->nr_maps ||
			 failures.list[i].data == UINT32_MAX));
	free(failures.list);
	free(fds);
}
