// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Link the programs of an object for several kernels, none of which has to run here. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/insns/insns_internal.h"

/*
 * Find kernel functions and variables by the kernel's types. What is not found stays as in the
 * file, because only the running kernel's addresses are known, and the listing may be for another
 * one.
 */
static int find_extern(void *arg, const struct extern_site *site, struct prog_code *code,
		       struct error *err)
{
	struct kernel *k = arg;
	const struct extern_hook *hook = &k->externs.hook;
	struct missing *missing = &k->missing[site->index];
	const enum object_extern_kind kind = k->in->obj.externs[site->index].kind;

	if (kind != OBJECT_EXTERN_KFUNC && kind != OBJECT_EXTERN_KVAR)
		return 0;
	if (!hook->apply(hook->arg, site, code, err))
		return 0;
	if (!missing->what)
		missing->what = strdup(err->what);
	missing->reason = err->reason;
	if (!missing->what)
		return error_set(err, ENOMEM, "no memory for an extern");
	error_clear(err);
	return 0;
}

static void kernel_begin(struct kernel *k, struct inspect *in, const char *path)
{
	*k = (struct kernel){ .name = path ? path : "this kernel", .in = in };
	kernel_types_init(&k->types, in->sys, path);
	co_re_init(&k->co_re, &k->types, &in->obj, false);
	externs_init(&k->externs, in->sys, &k->types, &in->obj, NULL);
	k->hook = (struct extern_hook){ .apply = find_extern, .arg = k };
}

static void unlink_program(struct listing *l)
{
	for (unsigned int i = 0; i < l->nr_kernels; i++) {
		prog_code_free(&l->kernels[i].code);
		error_clear(&l->kernels[i].refused);
	}
	free(l->funcs);
	free(l->starts);
	l->funcs = l->starts = NULL;
	l->nr_funcs = 0;
}

int listing_begin(struct listing *l, struct inspect *in, uint32_t factor, struct error *err)
{
	const struct option_list *btfs = &in->o->inspect.btfs;
	const struct btf *btf;
	int ret;

	*l = (struct listing){ .in = in, .nr_kernels = btfs->nr ? btfs->nr : 1,
			       .reloc_section = UINT32_MAX };
	ret = reach_begin(in, &l->reach, factor, err);
	if (ret) {
		l->nr_kernels = 0;
		return ret;
	}
	l->kernels = calloc(l->nr_kernels, sizeof(*l->kernels));
	if (!l->kernels) {
		l->nr_kernels = 0;
		return error_set(err, ENOMEM, "no memory for %u kernels", btfs->nr);
	}
	for (unsigned int i = 0; i < l->nr_kernels; i++) {
		struct kernel *k = &l->kernels[i];

		kernel_begin(k, in, btfs->nr ? btfs->text[i] : NULL);
		k->missing = calloc(in->obj.nr_externs + UINT64_C(1), sizeof(*k->missing));
		if (!k->missing)
			return error_set(err, ENOMEM, "no memory for externs");
		if (btfs->nr && kernel_types_vmlinux(&k->types, &btf, err))
			return error_where(err, "--btf");
	}
	return 0;
}

void listing_end(struct listing *l)
{
	unlink_program(l);
	for (unsigned int i = 0; i < l->nr_kernels; i++) {
		co_re_free(&l->kernels[i].co_re);
		externs_free(&l->kernels[i].externs);
		kernel_types_free(&l->kernels[i].types);
		for (uint32_t e = 0; l->kernels[i].missing && e < l->in->obj.nr_externs; e++)
			free(l->kernels[i].missing[e].what);
		free(l->kernels[i].missing);
	}
	l->in->obj.co_re = NULL;
	l->in->obj.extern_hook = NULL;
	free(l->kernels);
	free(l->relocs);
	reach_free(&l->reach);
	memset(l, 0, sizeof(*l));
}

/* If the program cannot be linked for any kernel, list only its own function. */
static int keep_funcs(struct listing *l, const struct prog_code *code, struct error *err)
{
	const struct bpf_object *obj = &l->in->obj;
	const uint32_t nr = code->nr_funcs ? code->nr_funcs : 1;
	uint32_t start = 0;

	if (l->nr_funcs > 1 || (l->funcs && !code->nr_funcs))
		return 0;
	free(l->funcs);
	free(l->starts);
	l->funcs = malloc(nr * sizeof(*l->funcs));
	l->starts = malloc(nr * sizeof(*l->starts));
	if (!l->funcs || !l->starts)
		return error_set(err, ENOMEM, "no memory for %u functions", nr);
	l->nr_funcs = nr;
	for (uint32_t i = 0; i < nr; i++) {
		l->funcs[i] = code->nr_funcs ? obj->link_order[i] : obj->progs[l->prog].func;
		l->starts[i] = start;
		start += obj->funcs[l->funcs[i]].insn_cnt;
	}
	return 0;
}

static int link_for(struct listing *l, struct kernel *k, uint32_t prog)
{
	if (!l->reach.whole)
		return error_set(&k->refused, E2BIG, "the programs of this file share more "
						     "code than is followed");
	l->in->obj.co_re = &k->co_re.hook;
	l->in->obj.extern_hook = &k->hook;
	co_re_begin_prog(&k->co_re);
	externs_begin_prog(&k->externs);
	return relocate(&l->in->obj, prog, NULL, &k->code, &k->refused);
}

int listing_link(struct listing *l, uint32_t prog, struct error *err)
{
	int ret = 0;

	unlink_program(l);
	l->prog = prog;
	reach_find(l->in, prog, &l->reach);
	for (unsigned int i = 0; !ret && i < l->nr_kernels; i++) {
		struct kernel *k = &l->kernels[i];

		if (link_for(l, k, prog) == -ENOMEM)
			return error_copy(err, &k->refused);
		ret = keep_funcs(l, &k->code, err);
	}
	return ret;
}

const struct prog_code *listing_code(const struct listing *l)
{
	for (unsigned int i = 0; i < l->nr_kernels; i++)
		if (l->kernels[i].code.nr_insns)
			return &l->kernels[i].code;
	return NULL;
}

/* Index the relocations of a code section by the instruction that they patch. */
static void index_relocs(struct listing *l, uint32_t code_index)
{
	const struct object_code_section *code = &l->in->obj.code[code_index];
	const struct elf_image *image = &l->in->obj.image;
	const uint32_t nr = code->reloc_section ? elf_reloc_count(image, code->reloc_section) : 0;

	free(l->relocs);
	l->reloc_section = code_index;
	l->nr_relocs = image->sections[code->section].size / sizeof(struct bpf_insn);
	l->relocs = calloc(l->nr_relocs + UINT64_C(1), sizeof(*l->relocs));
	for (uint32_t i = 0; l->relocs && i < nr; i++) {
		const uint64_t at = elf_reloc_get(image, code->reloc_section, i).offset;

		if (at / sizeof(struct bpf_insn) < l->nr_relocs)
			l->relocs[at / sizeof(struct bpf_insn)] = 1 + i;
	}
}

uint32_t listing_reloc(struct listing *l, const struct object_func *f, uint32_t insn)
{
	if (l->reloc_section != f->code)
		index_relocs(l, f->code);
	return l->relocs && insn < l->nr_relocs ? l->relocs[insn] : 0;
}

/* Line 0 marks code that the compiler added to the preceding line. */
struct source_line listing_line(const struct listing *l, const struct prog_code *code,
				uint32_t insn, uint32_t *at)
{
	const struct btf *btf = &l->in->obj.btf;
	const struct bpf_line_info *info;
	struct source_line line = { 0 };

	while (*at + 1 < code->nr_line_info && code->line_info[*at + 1].insn_off <= insn)
		++*at;
	if (*at >= code->nr_line_info || code->line_info[*at].insn_off > insn)
		return line;
	info = &code->line_info[*at];
	line.line = info->line_col >> 10;
	line.column = info->line_col & 0x3ff;
	line.file = btf_string(btf, info->file_name_off);
	line.text = btf_string(btf, info->line_off);
	if (!line.line || !line.file || !line.file[0] || !line.text)
		return (struct source_line){ 0 };
	line.text += strspn(line.text, " \t");
	return line;
}
