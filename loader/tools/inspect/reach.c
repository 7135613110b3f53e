// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find what a program uses without linking it, so that it is known of objects of the other byte
 * order, and of programs that this kernel cannot link.
 */
#include <stdlib.h>
#include <string.h>

#include "elf/flow/insn.h"
#include "loader/tools/inspect/inspect_internal.h"

static void add_func(struct reach *reach, bool *seen, uint32_t func)
{
	if (!seen[func])
		reach->funcs[reach->nr_funcs++] = func;
	seen[func] = true;
}

static void add_helpers(const struct inspect *in, const struct object_func *f, struct reach *reach)
{
	const struct bytes code = in->obj.image.sections[f->section].data;

	for (uint32_t i = 0; i < f->insn_cnt; i++) {
		const struct bpf_insn insn =
			inspect_insn(code, (f->first_insn + (uint64_t)i) * sizeof(insn), &in->elf);

		if (insn_is_call(insn) && !insn.src_reg && (uint32_t)insn.imm < 512)
			reach->helpers[insn.imm] = true;
		i += insn_is_ldimm64(insn);
	}
}

static void visit(const struct inspect *in, uint32_t func, struct reach *reach, bool *seen)
{
	const struct object_func *f = &in->obj.funcs[func];
	const struct object_code_section *code = &in->obj.code[f->code];

	reach->nr_insns += f->insn_cnt;
	add_helpers(in, f, reach);
	for (uint32_t i = f->relocs.first; i < f->relocs.end; i++) {
		const struct object_reloc *reloc = &code->relocs[i];

		switch (reloc->kind) {
		case OBJECT_RELOC_CALL:
		case OBJECT_RELOC_FUNC:
			add_func(reach, seen, reloc->index);
			break;
		case OBJECT_RELOC_MAP:
		case OBJECT_RELOC_DATA:
			reach->maps[reloc->index] = true;
			break;
		case OBJECT_RELOC_KCONFIG:
		case OBJECT_RELOC_KSYM:
		case OBJECT_RELOC_KFUNC:
			reach->externs[reloc->index] = true;
			break;
		default:
			break;
		}
	}
}

bool reach_find(const struct inspect *in, uint32_t prog, struct reach *reach)
{
	const struct bpf_object *obj = &in->obj;
	bool *seen = calloc(obj->nr_funcs + 1, sizeof(*seen));

	memset(reach, 0, sizeof(*reach));
	reach->funcs = calloc(obj->nr_funcs + 1, sizeof(*reach->funcs));
	reach->maps = calloc(obj->nr_maps + 1, sizeof(*reach->maps));
	reach->externs = calloc(obj->nr_externs + 1, sizeof(*reach->externs));
	if (!seen || !reach->funcs || !reach->maps || !reach->externs) {
		free(seen);
		reach_free(reach);
		return false;
	}
	add_func(reach, seen, obj->progs[prog].func);
	if (obj->progs[prog].exception_cb)
		add_func(reach, seen, obj->progs[prog].exception_cb - 1);
	for (uint32_t i = 0; i < reach->nr_funcs; i++)
		visit(in, reach->funcs[i], reach, seen);
	free(seen);
	return true;
}

void reach_free(struct reach *reach)
{
	free(reach->funcs);
	free(reach->maps);
	free(reach->externs);
	memset(reach, 0, sizeof(*reach));
}
