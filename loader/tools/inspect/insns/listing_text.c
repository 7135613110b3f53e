// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A linked instruction as text, with names instead of descriptors, distances and addresses. */
#include <inttypes.h>
#include <stdio.h>

#include "elf/flow/insn.h"
#include "elf/insn/insn_text.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/tools/inspect/insns/insns_internal.h"

/* Return the name of the function that begins at @insn of the program, or NULL. */
static const char *func_at(const struct listing *l, int64_t insn)
{
	uint32_t low = 0, high = l->nr_funcs;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (l->starts[middle] < insn)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == l->nr_funcs || l->starts[low] != insn)
		return NULL;
	return l->in->obj.funcs[l->funcs[low]].name;
}

static void put_ldimm64(const struct listing *l, const struct bpf_insn *insn, uint32_t at,
			const struct object_reloc *reloc, char to[LISTING_TEXT])
{
	const struct bpf_object *obj = &l->in->obj;
	const char *func;

	switch (reloc->kind) {
	case OBJECT_RELOC_MAP:
		snprintf(to, LISTING_TEXT, "r%d = map[%.200s]", insn->dst_reg,
			 obj->maps[reloc->index].name);
		break;
	case OBJECT_RELOC_DATA:
		snprintf(to, LISTING_TEXT, "r%d = map[%.200s][0]+%u", insn->dst_reg,
			 obj->maps[reloc->index].name, (uint32_t)insn[1].imm);
		break;
	case OBJECT_RELOC_KCONFIG:
	case OBJECT_RELOC_KSYM:
		snprintf(to, LISTING_TEXT, "r%d = extern[%.200s]+%u", insn->dst_reg,
			 obj->externs[reloc->index].name, reloc->offset);
		break;
	case OBJECT_RELOC_FUNC:
		func = func_at(l, (int64_t)at + 1 + insn->imm);
		snprintf(to, LISTING_TEXT, "r%d = func[%.200s]", insn->dst_reg, func ? func : "?");
		break;
	default:
		break;
	}
}

void listing_text(const struct listing *l, const struct prog_code *code, uint32_t insn,
		  const struct object_reloc *reloc, char to[LISTING_TEXT])
{
	const struct bpf_insn *at = &code->insns[insn];
	const size_t n = insn_text(to, at, code->nr_insns - insn);
	const char *func;

	if (reloc && insn_is_ldimm64(*at)) {
		put_ldimm64(l, at, insn, reloc, to);
	} else if (reloc && insn_is_call(*at) && reloc->kind == OBJECT_RELOC_KFUNC) {
		snprintf(to, LISTING_TEXT, "call %.200s", l->in->obj.externs[reloc->index].name);
	} else if (insn_is_call(*at) && at->src_reg == BPF_PSEUDO_CALL) {
		func = func_at(l, (int64_t)insn + 1 + at->imm);
		snprintf(to + n, LISTING_TEXT - n, " <%.200s>", func ? func : "?");
	} else if (insn_is_call(*at) && !at->src_reg && at->imm == CO_RE_POISON) {
		snprintf(to, LISTING_TEXT, "call poison#%d", CO_RE_POISON);
	}
}
