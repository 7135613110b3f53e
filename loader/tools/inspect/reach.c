// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find what a program uses without linking it, even in an object of the other byte order, or if the
 * running kernel cannot link it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/flow/insn.h"
#include "loader/tools/inspect/inspect_internal.h"

/* Consume @steps. Return false if there were not enough left. */
static bool afford(struct inspect *in, uint64_t steps)
{
	const bool can = steps <= in->work;

	in->work = can ? in->work - steps : 0;
	return can;
}

/* Add @index to @list, unless its mark shows that this program has already added it. */
static void add(struct reach *reach, struct reach_list *list, uint32_t index)
{
	if (list->marks[index] != reach->mark)
		list->index[list->nr++] = index;
	list->marks[index] = reach->mark;
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

static void visit(const struct inspect *in, const struct object_func *f, struct reach *reach)
{
	const struct object_code_section *code = &in->obj.code[f->code];

	reach->nr_insns += f->insn_cnt;
	add_helpers(in, f, reach);
	for (uint32_t i = f->relocs.first; i < f->relocs.end; i++) {
		const struct object_reloc *reloc = &code->relocs[i];

		switch (reloc->kind) {
		case OBJECT_RELOC_CALL:
		case OBJECT_RELOC_FUNC:
			add(reach, &reach->funcs, reloc->index);
			break;
		case OBJECT_RELOC_MAP:
		case OBJECT_RELOC_DATA:
			add(reach, &reach->maps, reloc->index);
			break;
		case OBJECT_RELOC_KCONFIG:
		case OBJECT_RELOC_KSYM:
		case OBJECT_RELOC_KFUNC:
			add(reach, &reach->externs, reloc->index);
			break;
		default:
			break;
		}
	}
}

/* The number of steps to visit @f, and to print its name and the names that it refers to. */
static uint64_t price(const struct object_func *f)
{
	return (uint64_t)f->insn_cnt + f->relocs.end - f->relocs.first + f->core_relo.end -
	       f->core_relo.first + f->line_info.end - f->line_info.first + strlen(f->name);
}

static bool begin_list(struct reach_list *list, uint32_t nr)
{
	list->index = calloc(nr + UINT64_C(1), sizeof(*list->index));
	list->marks = calloc(nr + UINT64_C(1), sizeof(*list->marks));
	return list->index && list->marks;
}

int reach_begin(struct inspect *in, struct reach *reach, uint32_t factor, struct error *err)
{
	const struct bpf_object *obj = &in->obj;

	*reach = (struct reach){ .factor = factor };
	in->work = INSPECT_WORK + INSPECT_WORK_PER_BYTE * (uint64_t)in->file.size;
	if (begin_list(&reach->funcs, obj->nr_funcs) && begin_list(&reach->maps, obj->nr_maps) &&
	    begin_list(&reach->externs, obj->nr_externs))
		return 0;
	return error_set(err, ENOMEM, "no memory for %" PRIu32 " functions", obj->nr_funcs);
}

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void reach_find(struct inspect *in, uint32_t prog, struct reach *reach)
{
	const struct object_prog *p = &in->obj.progs[prog];

	reach->funcs.nr = reach->maps.nr = reach->externs.nr = reach->nr_insns = 0;
	memset(reach->helpers, 0, sizeof(reach->helpers));
	reach->mark++;
	reach->whole = true;
	add(reach, &reach->funcs, p->func);
	if (p->exception_cb)
		add(reach, &reach->funcs, p->exception_cb - 1);
	for (uint32_t i = 0; i < reach->funcs.nr && reach->whole; i++) {
		const struct object_func *f = &in->obj.funcs[reach->funcs.index[i]];

		/* Each program has its own first function. */
		reach->whole = !i || afford(in, price(f) * reach->factor);
		if (reach->whole)
			visit(in, f, reach);
		else
			reach->funcs.nr = i;
	}
	qsort(reach->maps.index, reach->maps.nr, sizeof(*reach->maps.index), compare);
	qsort(reach->externs.index, reach->externs.nr, sizeof(*reach->externs.index), compare);
}

static void free_list(struct reach_list *list)
{
	free(list->index);
	free(list->marks);
}

void reach_free(struct reach *reach)
{
	free_list(&reach->funcs);
	free_list(&reach->maps);
	free_list(&reach->externs);
	memset(reach, 0, sizeof(*reach));
}
