// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tell the trace which instructions of a linked program differ from the file, and why. */
#include <stdio.h>
#include <string.h>

#include "loader/objects/loading/loading.h"

/* The target of a relocation: "map 'hits'". */
static void describe(char *text, size_t size, const struct bpf_object *obj,
		     const struct object_reloc *reloc)
{
	switch (reloc->kind) {
	case OBJECT_RELOC_MAP:
		snprintf(text, size, "the descriptor of map '%s'", obj->maps[reloc->index].name);
		break;
	case OBJECT_RELOC_DATA:
		snprintf(text, size, "map '%s' and the offset of the variable in its value",
			 obj->maps[reloc->index].name);
		break;
	case OBJECT_RELOC_CALL:
		snprintf(text, size, "the distance to function '%s'",
			 obj->funcs[reloc->index].name);
		break;
	case OBJECT_RELOC_FUNC:
		snprintf(text, size, "the distance to function '%s', for its address",
			 obj->funcs[reloc->index].name);
		break;
	case OBJECT_RELOC_KCONFIG:
	case OBJECT_RELOC_KSYM:
	case OBJECT_RELOC_KFUNC:
		snprintf(text, size, "extern '%s'", obj->externs[reloc->index].name);
		break;
	case OBJECT_RELOC_JUMP_TABLE:
		snprintf(text, size, "the descriptor of its jump table");
		break;
	case OBJECT_RELOC_UNRESOLVED:
	case OBJECT_RELOC_REFUSED:
		text[0] = '\0';
		break;
	}
}

static void report_reloc(const struct bpf_object *obj, const struct object_func *f,
			 const struct object_reloc *reloc, const struct bpf_insn *now,
			 uint32_t insn, struct sys *sys)
{
	const struct bytes code = obj->image.sections[f->section].data;
	const bool wide = now->code == (BPF_LD | BPF_IMM | BPF_DW);
	struct bpf_insn was[2] = { 0 };
	char what[256], upper[64] = "";

	memcpy(was, code.data + (size_t)reloc->insn * sizeof(*was),
	       wide ? sizeof(was) : sizeof(*was));
	describe(what, sizeof(what), obj, reloc);
	if (wide && was[1].imm != now[1].imm)
		snprintf(upper, sizeof(upper), ", upper half %d -> %d", was[1].imm, now[1].imm);
	sys_note(sys, "relocation: insn %u of '%s': imm %d -> %d%s: %s", insn, f->name,
		 was[0].imm, now[0].imm, upper, what);
}

/* relocate() has stored the functions of the program, in order, in obj->link_order. */

static int note_links(struct loading *l, uint32_t prog, struct prog_code *code, struct error *err)
{
	const struct bpf_object *obj = &l->object;
	uint32_t start = 0;

	(void)prog;
	(void)err;
	if (!l->sys->remark)
		return 0;

	for (uint32_t n = 0; start < code->nr_insns; n++) {
		const struct object_func *f = &obj->funcs[obj->link_order[n]];
		const struct object_code_section *section = &obj->code[f->code];

		for (uint32_t i = f->relocs.first; i < f->relocs.end; i++) {
			const struct object_reloc *reloc = &section->relocs[i];
			const uint32_t insn = start + reloc->insn - f->first_insn;

			report_reloc(obj, f, reloc, &code->insns[insn], insn, l->sys);
		}
		start += f->insn_cnt;
	}
	return 0;
}

const struct load_feature load_link_notes = { .linked = note_links };
