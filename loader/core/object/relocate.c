// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Link a program: copy its function and each function that it reaches into one array, and adjust
 * distances, addresses, func_info and line_info. This is the last of three steps from the file to
 * insn.imm; resolve.c has a picture of the instructions.
 *
 * The verifier uses func_info for more than messages. If present, check_btf_func() in
 * kernel/bpf/verifier.c requires it to list every function of the program at its first instruction.
 * Without it, check_ld_imm() refuses function addresses, and so callbacks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/feature.h"

/* BPF_COMPLEXITY_LIMIT_INSNS in include/linux/bpf.h: no kernel accepts more. */
#define MAX_INSNS 1000000

struct linker {
	const struct bpf_object *obj;
	const int *map_fds;
	struct prog_code *code;
	uint32_t *start;	/* borrowed; by function: 1 + index of its first instruction in
				 * the program; 0: not linked */
	uint32_t *order;	/* borrowed; the linked functions, in order */
	uint32_t nr;
	uint32_t nr_insns;	/* total over the functions linked so far */
	uint32_t max_map_refs;	/* of the functions so far, including uses of externs */
	uint32_t nr_line_info;
	bool has_func_info, has_line_info;	/* every function so far has records */
};

static int add_func(struct linker *l, uint32_t func, struct error *err)
{
	const struct object_func *f = &l->obj->funcs[func];

	if (l->start[func])
		return 0;
	if (f->insn_cnt > MAX_INSNS - l->nr_insns) {
		error_set(err, E2BIG,
			  "with this function, the program exceeds %u instructions",
			  MAX_INSNS);
		error_where(err, "function '%s'", f->name);
		return -E2BIG;
	}
	l->order[l->nr++] = func;
	l->start[func] = 1 + l->nr_insns;
	l->nr_insns += f->insn_cnt;
	return 0;
}

/* Return true if the first record is for the first instruction of the function. */
static bool begins(const struct btf_ext *ext, const struct btf_ext_sec *sec,
		   struct object_range records, const struct object_func *f)
{
	return records.first < records.end &&
	       btf_ext_insn_off(ext, sec, records.first) == f->first_insn * sizeof(struct bpf_insn);
}

static bool is_extern(const struct object_reloc *reloc)
{
	return reloc->kind == OBJECT_RELOC_KCONFIG || reloc->kind == OBJECT_RELOC_KSYM ||
	       reloc->kind == OBJECT_RELOC_KFUNC;
}

static int unresolved(const struct bpf_object *obj, const struct object_code_section *code,
		      const struct object_reloc *reloc, struct error *err)
{
	const struct unresolved_symbol symbol = { .obj = obj, .code = code, .reloc = reloc };

	error_set(err, ENOTSUP, "symbol '%s' is undefined, and pload-core does not resolve externs",
		  is_extern(reloc) ? obj->externs[reloc->index].name :
				     obj->image.symbols[reloc->index].name);
	explain_failure(NULL, FAILED_SYMBOL, &symbol, err);
	return where_insn(err, &obj->image, code, reloc->insn);
}

static int no_co_re(const struct bpf_object *obj, const struct object_func *f, struct error *err)
{
	const struct object_code_section *code = &obj->code[f->code];
	const struct unresolved_symbol symbol = {
		.obj = obj, .code = code, .func = f,
		.core = btf_ext_core(&obj->ext, code->core_relo, f->core_relo.first),
	};

	feature_missing("CO-RE relocations", err);
	explain_failure(NULL, FAILED_SYMBOL, &symbol, err);
	return where_co_re(err, obj, f, symbol.core);
}

/* Add the source line of @insn to @err. */
static void explain_at(const struct linker *l, uint32_t insn, struct error *err)
{
	explain_failure(NULL, FAILED_INSN, &(struct failed_insn){ l->obj, l->code, insn }, err);
}

/* Follow one relocation: add the function it refers to, or count the reference to a map. */
static int follow_reloc(struct linker *l, const struct object_code_section *code,
			const struct object_reloc *reloc, struct error *err)
{
	if (reloc->kind == OBJECT_RELOC_CALL || reloc->kind == OBJECT_RELOC_FUNC)
		return add_func(l, reloc->index, err);
	if (reloc->kind == OBJECT_RELOC_REFUSED)
		return error_copy(err, &l->obj->refused[reloc->index]);
	if (reloc->kind == OBJECT_RELOC_UNRESOLVED || (is_extern(reloc) && !l->obj->extern_hook))
		return unresolved(l->obj, code, reloc, err);
	l->max_map_refs++;
	return 0;
}

/* Count the .BTF.ext records. The kernel takes them for all functions of a program or for none. */
static void count_records(struct linker *l, const struct object_func *f)
{
	const struct object_code_section *code = &l->obj->code[f->code];

	if (!begins(&l->obj->ext, code->func_info, f->func_info, f))
		l->has_func_info = false;
	/* The kernel requires line info for the first instruction of each function. */
	if (!begins(&l->obj->ext, code->line_info, f->line_info, f))
		l->has_line_info = false;
	l->nr_line_info += f->line_info.end - f->line_info.first;
}

/* Visit a newly added function: add the functions it calls, and count the records it needs. */
static int visit_func(struct linker *l, const struct object_func *f, struct error *err)
{
	const struct object_code_section *code = &l->obj->code[f->code];
	int ret = 0;

	if (!l->obj->co_re && f->core_relo.first < f->core_relo.end)
		ret = no_co_re(l->obj, f, err);
	for (uint32_t i = f->relocs.first; i < f->relocs.end && !ret; i++)
		ret = follow_reloc(l, code, &code->relocs[i], err);
	count_records(l, f);
	return ret;
}

/* Find all functions that the program reaches. The order array doubles as the work list. */
static int collect_funcs(struct linker *l, const struct object_prog *prog, struct error *err)
{
	int ret = prog->refused ? error_copy(err, &l->obj->refused[prog->refused - 1]) :
				  add_func(l, prog->func, err);

	if (!ret && prog->exception_cb)
		ret = add_func(l, prog->exception_cb - 1, err);
	for (uint32_t i = 0; i < l->nr && !ret; i++)
		ret = visit_func(l, &l->obj->funcs[l->order[i]], err);
	return ret;
}

static int make_room(struct linker *l, struct error *err)
{
	struct prog_code *code = l->code;

	code->insns = malloc(l->nr_insns * sizeof(*code->insns));
	code->map_refs = malloc((l->max_map_refs + UINT64_C(1)) * sizeof(*code->map_refs));
	code->func_info = malloc(l->nr * sizeof(*code->func_info));
	code->line_info = malloc((l->nr_line_info + UINT64_C(1)) * sizeof(*code->line_info));
	if (!code->insns || !code->map_refs || !code->func_info || !code->line_info)
		return error_set(err, ENOMEM, "no memory for %u instructions", l->nr_insns);
	return 0;
}

/* Patch the ldimm64 at @at: the descriptor of @map, or an address in its value. */
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

	if (hook->apply(hook->arg, &site, l->code, err) < 0) {
		explain_at(l, at, err);
		return where_insn(err, &l->obj->image, code, reloc->insn);
	}
	if (reloc->kind == OBJECT_RELOC_KCONFIG)
		apply_map(l, at, BPF_PSEUDO_MAP_VALUE, e->map, e->offset + reloc->offset);
	return 0;
}

/* Patch the instruction at @at. Return false if a feature has to do it. */
static bool apply(struct linker *l, const struct object_reloc *reloc, uint32_t at)
{
	struct bpf_insn *insn = &l->code->insns[at];

	switch (reloc->kind) {
	case OBJECT_RELOC_MAP:
		apply_map(l, at, BPF_PSEUDO_MAP_FD, reloc->index, 0);
		break;
	case OBJECT_RELOC_DATA:
		apply_map(l, at, BPF_PSEUDO_MAP_VALUE, reloc->index,
			  l->obj->maps[reloc->index].data_at + reloc->offset);
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
	default:
		return false;
	}
	return true;
}

/* Append the line records of a function. Most objects store them in the kernel's format. */
static void copy_lines(const struct btf_ext *ext, const struct btf_ext_sec *sec,
		       struct object_range lines, struct bpf_line_info *to)
{
	const uint32_t nr = lines.end - lines.first;

	if (!ext->swap && sec->rec_size == sizeof(*to)) {
		memcpy(to, sec->records.data + (size_t)lines.first * sizeof(*to), nr * sizeof(*to));
		return;
	}
	for (uint32_t i = 0; i < nr; i++) {
		const struct btf_line_info line = btf_ext_line(ext, sec, lines.first + i);

		to[i] = (struct bpf_line_info){ line.insn_off, line.file_name_off, line.line_off,
						line.line_col };
	}
}

/*
 * The kernel requires strictly ascending offsets: keep the first of duplicates. Return the number
 * of lines left. Usually that is @nr, and nothing is moved.
 */
static uint32_t drop_equal_lines(struct bpf_line_info *lines, uint32_t nr)
{
	uint32_t kept = 1;

	while (kept < nr && lines[kept].insn_off != lines[kept - 1].insn_off)
		kept++;
	for (uint32_t i = kept + 1; i < nr; i++)
		if (lines[i].insn_off != lines[kept - 1].insn_off)
			lines[kept++] = lines[i];
	return kept;
}

/* Append the lines of @f, whose first instruction has one. */
static void add_lines(struct linker *l, const struct object_code_section *code,
		      const struct object_func *f, uint32_t start)
{
	struct bpf_line_info *to = &l->code->line_info[l->code->nr_line_info];
	const uint32_t nr = f->line_info.end - f->line_info.first;
	const uint32_t distance = start - f->first_insn;

	copy_lines(&l->obj->ext, code->line_info, f->line_info, to);
	for (uint32_t i = 0; i < nr; i++)
		to[i].insn_off = to[i].insn_off / sizeof(struct bpf_insn) + distance;
	l->code->nr_line_info += drop_equal_lines(to, nr);
}

static void add_info(struct linker *l, const struct object_code_section *code,
		     const struct object_func *f, uint32_t start)
{
	const struct btf_ext *ext = &l->obj->ext;

	if (l->has_func_info)
		l->code->func_info[l->code->nr_func_info++] = (struct bpf_func_info){
			.insn_off = start,
			.type_id = btf_ext_func(ext, code->func_info, f->func_info.first).type_id,
		};
	if (l->has_line_info)
		add_lines(l, code, f, start);
}

/* Pass each CO-RE relocation of the function to the hook. */
static int apply_core(struct linker *l, const struct object_code_section *code,
		      const struct object_func *f, uint32_t start, struct error *err)
{
	const struct co_re_hook *core = l->obj->co_re;
	const struct btf_ext *ext = &l->obj->ext;
	struct co_re_site site = { .func = f, .end = start + f->insn_cnt };

	for (uint32_t i = f->core_relo.first; i < f->core_relo.end; i++) {
		site.relo = btf_ext_core(ext, code->core_relo, i);
		site.insn = start + site.relo.insn_off / sizeof(struct bpf_insn) - f->first_insn;
		if (core->apply(core->arg, &site, l->code, err) < 0) {
			explain_at(l, site.insn, err);
			return where_co_re(err, l->obj, f, site.relo);
		}
	}
	return 0;
}

static int link_func(struct linker *l, uint32_t func, struct error *err)
{
	const struct object_func *f = &l->obj->funcs[func];
	const struct object_code_section *code = &l->obj->code[f->code];
	struct bytes insns = l->obj->image.sections[f->section].data;
	const uint32_t start = l->start[func] - 1;
	int ret = 0;

	/*
	 * The byte order is native, so the bytes have the layout of struct bpf_insn.
	 */
	memcpy(&l->code->insns[start], insns.data + f->first_insn * sizeof(struct bpf_insn),
	       f->insn_cnt * sizeof(struct bpf_insn));
	l->code->helpers |= f->helpers;
	add_info(l, code, f, start);
	for (uint32_t i = f->relocs.first; i < f->relocs.end && !ret; i++) {
		const struct object_reloc *reloc = &code->relocs[i];
		uint32_t at = start + reloc->insn - f->first_insn;

		if (is_extern(reloc))
			ret = apply_extern(l, code, f, reloc, at, err);
		else if (!apply(l, reloc, at))
			ret = features_link(l->obj, f, start, reloc, l->code, err);
		ret = ret < 0 ? ret : 0;
	}
	return ret ? ret : apply_core(l, code, f, start, err);
}

int bpf_object_check_native(const struct bpf_object *obj, struct error *err)
{
	if (!obj->image.swap)
		return 0;
	error_set(err, ENOEXEC, "the object is %s-endian, but this machine is not",
		  obj->image.big_endian ? "big" : "little");
	error_hint(err, "compile with -target %s", obj->image.big_endian ? "bpfel" : "bpfeb");
	error_where(err, "%s", obj->name);
	return -ENOEXEC;
}

int relocate(struct bpf_object *obj, uint32_t prog, const int *map_fds, struct prog_code *code,
	     struct error *err)
{
	struct linker l = { .obj = obj, .map_fds = map_fds, .code = code, .start = obj->linked,
			    .order = obj->link_order, .has_func_info = true,
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
	code->nr_funcs = l.nr;
	code->prog_type = obj->progs[prog].kind ? obj->progs[prog].kind->prog_type : 0;
	for (uint32_t i = 0; i < l.nr; i++)
		l.start[l.order[i]] = 0;
	if (ret) {
		error_reason_default(err, "object/relocation");
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
	for (uint32_t i = 0; i < code->nr_jump_tables; i++)
		free(code->jump_tables[i].targets);
	free(code->jump_tables);
	memset(code, 0, sizeof(*code));
}
