// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Linking a program: its function and those it reaches, one after the other in one array, with
 * every distance, address and piece of debug information moved to where its function now lies.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/parse.h"

/* BPF_COMPLEXITY_LIMIT_INSNS of include/linux/bpf.h: no kernel takes more. */
#define MAX_INSNS 1000000

struct linker {
	const struct bpf_object *obj;
	const int *map_fds;
	struct prog_code *code;
	uint32_t *start;	/* owned; by function: 1 + where in the program, 0: not linked */
	uint32_t *order;	/* owned; the linked functions, as they follow each other */
	uint32_t nr;
	uint32_t nr_insns;	/* so far */
	uint32_t nr_map_refs;
	uint32_t nr_line_info;
	bool has_func_info, has_line_info;	/* of every function so far */
};

/* The first relocation of instruction @insn or a later one: those of a function lie between two. */
static uint32_t first_reloc(const struct object_code_section *code, uint32_t insn)
{
	uint32_t low = 0, high = code->nr_relocs;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (code->relocs[mid].insn < insn)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * The first record of @sec that is about instruction @insn or a later one. Each record begins with
 * its offset in bytes.
 */
static uint32_t first_record(const struct btf_ext *ext, const struct btf_ext_sec *sec,
			     uint32_t insn)
{
	uint32_t low = 0, high = sec ? sec->num : 0;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		uint64_t at = (uint64_t)mid * sec->rec_size;

		if (bytes_u32(sec->records, at, ext->swap) / sizeof(struct bpf_insn) < insn)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int add_func(struct linker *l, uint32_t func, struct error *err)
{
	const struct object_func *f = &l->obj->funcs[func];

	if (l->start[func])
		return 0;
	if (f->insn_cnt > MAX_INSNS - l->nr_insns) {
		error_set(err, E2BIG,
			  "with this function the program has more than %u instructions",
			  MAX_INSNS);
		error_where(err, "function '%s'", f->name);
		return -E2BIG;
	}
	l->start[func] = 1 + l->nr_insns;
	l->order[l->nr++] = func;
	l->nr_insns += f->insn_cnt;
	return 0;
}

static int refuse_core(const struct linker *l, const struct object_code_section *code,
		       const struct object_func *f, struct error *err)
{
	uint32_t i = first_record(&l->obj->ext, code->core_relo, f->insn_off);

	if (l->obj->core ||
	    i == first_record(&l->obj->ext, code->core_relo, f->insn_off + f->insn_cnt))
		return 0;
	return error_core(err, l->obj, f, btf_ext_core(&l->obj->ext, code->core_relo, i));
}

static bool is_extern(const struct object_reloc *reloc)
{
	return reloc->kind == OBJECT_RELOC_KCONFIG || reloc->kind == OBJECT_RELOC_KSYM ||
	       reloc->kind == OBJECT_RELOC_KFUNC;
}

/*
 * Look at a function just linked: what it calls is linked after it, and what it needs room for is
 * counted.
 */
static int visit_func(struct linker *l, const struct object_func *f, struct error *err)
{
	const struct btf_ext *ext = &l->obj->ext;
	const struct object_code_section *code = code_find(l->obj, f->section);
	uint32_t i = first_reloc(code, f->insn_off), info;
	uint32_t end = first_reloc(code, f->insn_off + f->insn_cnt);
	int ret = refuse_core(l, code, f, err);

	for (; i < end && !ret; i++) {
		const struct object_reloc *reloc = &code->relocs[i];

		if (reloc->kind == OBJECT_RELOC_CALL || reloc->kind == OBJECT_RELOC_FUNC)
			ret = add_func(l, reloc->index, err);
		else if (reloc->kind == OBJECT_RELOC_UNRESOLVED)
			ret = error_unresolved(err, l->obj, code, reloc);
		else if (is_extern(reloc) && !l->obj->extern_hook)
			ret = error_extern(err, l->obj, code, reloc);
		else
			l->nr_map_refs++;
	}
	info = first_record(ext, code->func_info, f->insn_off);
	if (!code->func_info || info == code->func_info->num ||
	    btf_ext_func(ext, code->func_info, info).insn_off !=
		    f->insn_off * sizeof(struct bpf_insn))
		l->has_func_info = false;
	/* The kernel wants the first instruction of each function to have a line. */
	info = first_record(ext, code->line_info, f->insn_off);
	if (!code->line_info || info == code->line_info->num ||
	    btf_ext_line(ext, code->line_info, info).insn_off !=
		    f->insn_off * sizeof(struct bpf_insn))
		l->has_line_info = false;
	l->nr_line_info += first_record(ext, code->line_info, f->insn_off + f->insn_cnt) - info;
	return ret;
}

/* Find all that the program reaches. The order array is the work list as well. */
static int collect_funcs(struct linker *l, const struct object_prog *prog, struct error *err)
{
	int ret;

	/*
	 * Untouched pages of calloc cost nothing: a program pays for the functions it reaches, not
	 * for all.
	 */
	l->start = calloc(l->obj->nr_funcs, sizeof(*l->start));
	l->order = calloc(l->obj->nr_funcs, sizeof(*l->order));
	if (!l->start || !l->order)
		return error_set(err, ENOMEM, "no memory to link %u functions", l->obj->nr_funcs);
	ret = add_func(l, prog->func, err);
	if (!ret && prog->catcher)
		ret = add_func(l, prog->catcher - 1, err);
	for (uint32_t i = 0; i < l->nr && !ret; i++)
		ret = visit_func(l, &l->obj->funcs[l->order[i]], err);
	return ret;
}

static int make_room(struct linker *l, struct error *err)
{
	struct prog_code *code = l->code;

	code->insns = malloc(l->nr_insns * sizeof(*code->insns));
	code->map_refs = calloc(l->nr_map_refs + 1, sizeof(*code->map_refs));
	code->func_info = calloc(l->nr, sizeof(*code->func_info));
	code->line_info = malloc((l->nr_line_info + UINT64_C(1)) * sizeof(*code->line_info));
	if (!code->insns || !code->map_refs || !code->func_info || !code->line_info)
		return error_set(err, ENOMEM, "no memory for %u instructions", l->nr_insns);
	return 0;
}

/* The ldimm64 at @at becomes @map's fd, or an address in its value. */
static void apply_map(struct linker *l, uint32_t at, uint8_t pseudo, uint32_t map, uint32_t offset)
{
	struct bpf_insn *insn = &l->code->insns[at];

	insn->src_reg = pseudo;
	insn[0].imm = l->map_fds ? l->map_fds[map] : 0;
	insn[1].imm = (int32_t)offset;
	l->code->map_refs[l->code->nr_map_refs++] = (struct prog_map_ref){ at, map };
}

static int apply_extern(struct linker *l, const struct object_code_section *code,
			const struct object_func *f, const struct object_reloc *reloc, uint32_t at,
			struct error *err)
{
	const struct object_extern *e = &l->obj->externs[reloc->index];
	const struct extern_site site = { .index = reloc->index, .func = f, .insn = at,
					  .offset = reloc->offset };
	const struct extern_hook *hook = l->obj->extern_hook;

	if (hook->apply(hook->arg, &site, l->code, err) < 0)
		return where_insn(err, &l->obj->image, code, reloc->insn);
	if (reloc->kind == OBJECT_RELOC_KCONFIG)
		apply_map(l, at, BPF_PSEUDO_MAP_VALUE, e->map, e->offset + reloc->offset);
	return 0;
}

/* Patch one instruction, which is number @at of the program. */
static void apply(struct linker *l, const struct object_reloc *reloc, uint32_t at)
{
	struct bpf_insn *insn = &l->code->insns[at];

	switch (reloc->kind) {
	case OBJECT_RELOC_MAP:
		apply_map(l, at, BPF_PSEUDO_MAP_FD, reloc->index, 0);
		break;
	case OBJECT_RELOC_DATA:
		apply_map(l, at, BPF_PSEUDO_MAP_VALUE, reloc->index, reloc->offset);
		break;
	case OBJECT_RELOC_CALL:
		insn->src_reg = BPF_PSEUDO_CALL;
		insn->imm = (int32_t)(l->start[reloc->index] - 1) - (int32_t)at - 1;
		break;
	case OBJECT_RELOC_FUNC:
		insn->src_reg = BPF_PSEUDO_FUNC;
		insn[0].imm = (int32_t)(l->start[reloc->index] - 1) - (int32_t)at - 1;
		insn[1].imm = 0;
		break;
	case OBJECT_RELOC_KCONFIG:
	case OBJECT_RELOC_KSYM:
	case OBJECT_RELOC_KFUNC:
	case OBJECT_RELOC_UNRESOLVED:
		break;
	}
}

static void copy_info(struct linker *l, const struct object_code_section *code,
		      const struct object_func *f, uint32_t start)
{
	const struct btf_ext *ext = &l->obj->ext;
	struct prog_code *out = l->code;
	uint32_t i, end, last = UINT32_MAX;	/* no instruction's offset */

	if (l->has_func_info) {
		i = first_record(ext, code->func_info, f->insn_off);
		out->func_info[out->nr_func_info++] = (struct bpf_func_info){
			.insn_off = start,
			.type_id = btf_ext_func(ext, code->func_info, i).type_id,
		};
	}
	if (!l->has_line_info)
		return;
	i = first_record(ext, code->line_info, f->insn_off);
	end = first_record(ext, code->line_info, f->insn_off + f->insn_cnt);
	for (; i < end; i++) {
		struct btf_line_info line = btf_ext_line(ext, code->line_info, i);

		/* The kernel wants them strictly ascending: of several at one place, the first. */
		if (line.insn_off == last)
			continue;
		last = line.insn_off;
		out->line_info[out->nr_line_info++] = (struct bpf_line_info){
			.insn_off = start + line.insn_off / sizeof(struct bpf_insn) - f->insn_off,
			.file_name_off = line.file_name_off,
			.line_off = line.line_off,
			.line_col = line.line_col,
		};
	}
}

/* Hand each CO-RE relocation of the function to who resolves them. */
static int apply_core(struct linker *l, const struct object_code_section *code,
		      const struct object_func *f, uint32_t start, struct error *err)
{
	const struct core_hook *core = l->obj->core;
	const struct btf_ext *ext = &l->obj->ext;
	struct core_site site = { .func = f, .end = start + f->insn_cnt };
	uint32_t i = first_record(ext, code->core_relo, f->insn_off);
	uint32_t end = first_record(ext, code->core_relo, f->insn_off + f->insn_cnt);

	for (; i < end; i++) {
		site.relo = btf_ext_core(ext, code->core_relo, i);
		site.insn = start + site.relo.insn_off / sizeof(struct bpf_insn) - f->insn_off;
		if (core->apply(core->arg, &site, l->code, err) < 0)
			return where_core(err, l->obj, f, site.relo);
	}
	return 0;
}

static int link_func(struct linker *l, uint32_t func, struct error *err)
{
	const struct object_func *f = &l->obj->funcs[func];
	const struct object_code_section *code = code_find(l->obj, f->section);
	struct bytes insns = l->obj->image.sections[f->section].data;
	uint32_t start = l->start[func] - 1, i, end;
	int ret = 0;

	/* Of this machine's byte order: they lie in the file as the kernel takes them. */
	memcpy(&l->code->insns[start], insns.data + f->insn_off * sizeof(struct bpf_insn),
	       f->insn_cnt * sizeof(struct bpf_insn));
	i = first_reloc(code, f->insn_off);
	end = first_reloc(code, f->insn_off + f->insn_cnt);
	for (; i < end && !ret; i++) {
		const struct object_reloc *reloc = &code->relocs[i];
		uint32_t at = start + reloc->insn - f->insn_off;

		if (is_extern(reloc))
			ret = apply_extern(l, code, f, reloc, at, err);
		else
			apply(l, reloc, at);
	}
	copy_info(l, code, f, start);
	return ret ? ret : apply_core(l, code, f, start, err);
}

int bpf_object_check_native(const struct bpf_object *obj, struct error *err)
{
	if (!obj->image.swap)
		return 0;
	error_set(err, ENOEXEC, "the object is %s-endian, and this machine is not",
		  obj->image.big_endian ? "big" : "little");
	error_hint(err, "compile with -target %s", obj->image.big_endian ? "bpfel" : "bpfeb");
	error_where(err, "%s", obj->name);
	return -ENOEXEC;
}

int relocate(const struct bpf_object *obj, uint32_t prog, const int *map_fds,
	     struct prog_code *code, struct error *err)
{
	struct linker l = { .obj = obj, .map_fds = map_fds, .code = code, .has_func_info = true,
			    .has_line_info = true };
	int ret;

	memset(code, 0, sizeof(*code));
	ret = bpf_object_check_native(obj, err);
	if (ret)
		return ret;
	ret = collect_funcs(&l, &obj->progs[prog], err);
	if (!ret)
		ret = make_room(&l, err);
	for (uint32_t i = 0; i < l.nr && !ret; i++)
		ret = link_func(&l, l.order[i], err);
	code->nr_insns = l.nr_insns;
	free(l.start);
	free(l.order);
	if (ret) {
		error_where(err, "%s", obj->name);
		prog_code_free(code);
	}
	return ret;
}

void prog_code_free(struct prog_code *code)
{
	free(code->insns);
	free(code->func_info);
	free(code->line_info);
	free(code->map_refs);
	free(code->core_relos);
	free(code->fd_array);
	memset(code, 0, sizeof(*code));
}
