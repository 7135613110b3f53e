// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the functions of an object by its symbols, the programs among them by their sections, and
 * the relocations and .BTF.ext records of each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/parse.h"

static int compare_func(const void *a, const void *b)
{
	const struct object_func *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->first_insn != y->first_insn)
		return x->first_insn < y->first_insn ? -1 : 1;
	/* A function may have two symbols: prefer the global one, then the one with a size. */
	if (x->global != y->global)
		return x->global ? -1 : 1;
	return (x->insn_cnt < y->insn_cnt) - (x->insn_cnt > y->insn_cnt);
}

int64_t func_around(const struct bpf_object *obj, uint32_t section, uint64_t insn)
{
	uint32_t low = 0, high = obj->nr_funcs;
	const struct object_func *last;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct object_func *f = &obj->funcs[mid];

		if (f->section < section || (f->section == section && f->first_insn <= insn))
			low = mid + 1;
		else
			high = mid;
	}
	last = low ? &obj->funcs[low - 1] : NULL;
	return last && last->section == section && insn - last->first_insn < last->insn_cnt ?
		       (int64_t)low - 1 : -1;
}

int64_t func_find(const struct bpf_object *obj, uint32_t section, uint64_t insn)
{
	const int64_t func = func_around(obj, section, insn);

	return func >= 0 && obj->funcs[func].first_insn == insn ? func : -1;
}

static int refuse_func(struct error *err, const struct elf_image *image,
		       const struct object_func *func)
{
	return error_where(err, "function '%s' in section '%s'", func->name,
			   image->sections[func->section].name);
}

static int add_func(struct bpf_object *obj, const struct elf_symbol *symbol, struct error *err)
{
	const struct elf_section *section = &obj->image.sections[symbol->section];
	struct object_func *funcs, func = {
		.name = symbol->name,
		.section = symbol->section,
		.first_insn = symbol->value / sizeof(struct bpf_insn),
		.insn_cnt = symbol->size / sizeof(struct bpf_insn),
		.global = symbol->bind != STB_LOCAL,
	};

	if (symbol->value % sizeof(struct bpf_insn) || symbol->size % sizeof(struct bpf_insn)) {
		error_set(err, EBADMSG, "its %llu bytes at 0x%llx are not whole instructions",
			  (unsigned long long)symbol->size, (unsigned long long)symbol->value);
		return refuse_func(err, &obj->image, &func);
	}
	if (symbol->value >= section->size || symbol->size > section->size - symbol->value) {
		error_set(err, EBADMSG,
			  "%llu bytes at 0x%llx are outside the section of %llu bytes",
			  (unsigned long long)symbol->size, (unsigned long long)symbol->value,
			  (unsigned long long)section->size);
		return refuse_func(err, &obj->image, &func);
	}
	funcs = array_grow(obj->funcs, obj->nr_funcs, sizeof(*funcs));
	if (!funcs)
		return error_set(err, ENOMEM, "no memory for function '%s'", symbol->name);
	obj->funcs = funcs;
	obj->funcs[obj->nr_funcs++] = func;
	return 0;
}

/*
 * STT_FUNC symbols are functions. Early BPF compilers did not set the type, so in a section without
 * STT_FUNC the global symbols are functions and the local ones labels.
 */
static int collect(struct parse *p, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	bool *typed = calloc(image->nr_sections + 1, sizeof(*typed));
	int ret = 0;

	if (!typed)
		return error_set(err, ENOMEM, "no memory for %u sections", image->nr_sections);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t n = 0; n < p->nr_symbols && !ret; n++) {
			const struct elf_symbol *symbol = &image->symbols[p->symbols[n]];

			if (symbol->section >= image->nr_sections ||
			    p->sections[symbol->section].use != SECTION_CODE)
				continue;
			if (pass == 0 && symbol->type == STT_FUNC) {
				typed[symbol->section] = true;
				ret = add_func(p->obj, symbol, err);
			}
			if (pass == 1 && symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL &&
			    !typed[symbol->section])
				ret = add_func(p->obj, symbol, err);
		}
	}
	free(typed);
	return ret;
}

/*
 * Drop aliases, extend functions without a size to the next function, and check that functions do
 * not overlap.
 */
static int arrange(struct bpf_object *obj, struct error *err)
{
	struct object_func *funcs = obj->funcs;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < obj->nr_funcs; i++) {
		struct object_func *last = kept ? &funcs[kept - 1] : NULL;

		if (last && last->section == funcs[i].section &&
		    last->first_insn == funcs[i].first_insn &&
		    (!last->insn_cnt || !funcs[i].insn_cnt || last->insn_cnt == funcs[i].insn_cnt))
			last->insn_cnt = last->insn_cnt ? last->insn_cnt : funcs[i].insn_cnt;
		else
			funcs[kept++] = funcs[i];
	}
	obj->nr_funcs = kept;
	for (uint32_t i = 0; i < kept; i++) {
		bool last = i + 1 == kept || funcs[i + 1].section != funcs[i].section;
		uint32_t end = last ? obj->image.sections[funcs[i].section].size /
					       sizeof(struct bpf_insn) :
				      funcs[i + 1].first_insn;

		if (!funcs[i].insn_cnt)
			funcs[i].insn_cnt = end - funcs[i].first_insn;
		if (funcs[i].insn_cnt <= end - funcs[i].first_insn)
			continue;
		error_set(err, EBADMSG,
			  "its %u instructions from %u on overlap function '%s' at %u",
			  funcs[i].insn_cnt, funcs[i].first_insn, funcs[i + 1].name,
			  funcs[i + 1].first_insn);
		return refuse_func(err, &obj->image, &funcs[i]);
	}
	return 0;
}

int parse_funcs(struct parse *p, struct error *err)
{
	int ret = collect(p, err);

	if (ret || !p->obj->nr_funcs)
		return ret;
	array_sort(p->obj->funcs, p->obj->nr_funcs, sizeof(*p->obj->funcs), compare_func);
	return arrange(p->obj, err);
}

/* .text and sections that the compiler splits off from it (.text.unlikely) hold subprograms. */
static bool holds_subprograms(const char *section)
{
	return !strcmp(section, ".text") || !strncmp(section, ".text.", strlen(".text."));
}

static int add_prog(struct bpf_object *obj, uint32_t func, struct error *err)
{
	const char *section = obj->image.sections[obj->funcs[func].section].name, *target = NULL;
	const struct prog_kind *kind = prog_kind_find(section, &target);
	struct object_prog *progs;

	progs = array_grow(obj->progs, obj->nr_progs, sizeof(*progs));
	if (!progs)
		return error_set(err, ENOMEM, "no memory for program '%s'", obj->funcs[func].name);
	obj->progs = progs;
	obj->progs[obj->nr_progs++] = (struct object_prog){
		.name = obj->funcs[func].name,
		.section = section,
		.target = target,
		.kind = kind ? kind : &prog_kind_unknown,
		.func = func,
		.optional = section[0] == '?',
	};
	return 0;
}

int parse_progs(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	int ret = 0;

	for (uint32_t i = 0; i < obj->nr_funcs && !ret; i++) {
		const char *section = obj->image.sections[obj->funcs[i].section].name;

		if (!holds_subprograms(section) && (obj->funcs[i].global || !obj->funcs[i].called))
			ret = add_prog(obj, i, err);
	}
	return ret;
}

/* Return the relocations of @f, searching from index @first. */
static struct object_range next_relocs(const struct object_code_section *code, uint32_t first,
				       const struct object_func *f)
{
	struct object_range r;

	while (first < code->nr_relocs && code->relocs[first].insn < f->first_insn)
		first++;
	r.first = r.end = first;
	while (r.end < code->nr_relocs && code->relocs[r.end].insn - f->first_insn < f->insn_cnt)
		r.end++;
	return r;
}

/*
 * Return the first record from @low on whose instruction is at or after @off bytes. It is usually
 * close: double the step until it is passed, then bisect the last step.
 */
static uint32_t find_record(const struct btf_ext *ext, const struct btf_ext_sec *sec,
			    uint32_t low, uint64_t off)
{
	const uint32_t nr = sec ? sec->num : low;
	uint32_t step = 1, high;

	while (step < nr - low && btf_ext_insn_off(ext, sec, low + step) < off) {
		low += step;
		step *= 2;
	}
	high = step < nr - low ? low + step : nr;
	while (low < high) {
		const uint32_t mid = low + (high - low) / 2;

		if (btf_ext_insn_off(ext, sec, mid) < off)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Return the .BTF.ext records of function @f. Records before @first belong to other functions. */
static struct object_range next_records(const struct btf_ext *ext, const struct btf_ext_sec *sec,
					uint32_t first, const struct object_func *f)
{
	const uint64_t begin = (uint64_t)f->first_insn * sizeof(struct bpf_insn);
	const uint64_t end = begin + (uint64_t)f->insn_cnt * sizeof(struct bpf_insn);
	struct object_range r = { .first = find_record(ext, sec, first, begin) };

	r.end = find_record(ext, sec, r.first, end);
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
