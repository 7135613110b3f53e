// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the jump tables of switch statements, which clang 22 writes for -mcpu=v4:
 *
 *	r3 = BPF.JT.0.0 ll	R_BPF_64_64; the symbol is a table in section .jumptables
 *	r3 += r2		8 * the case
 *	r2 = *(u64 *)(r3 + 0)
 *	gotox r2
 *
 * A table has a u64 for each case: the byte offset of its instruction in the function's section.
 * The kernel wants a map of type INSN_ARRAY, whose elements count instructions from the start of
 * the program.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/objects/declared/declared.h"

#define ENTRY sizeof(uint64_t)

/* Limit for all tables of a program, because a large table may be used many times. */
#define TARGETS_MAX 1000000

/* Establishes that the symbol is a table of whole entries inside its section. */
static int resolve_table(struct parse *p, const struct reloc_target *target,
			 struct object_reloc *out, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	const struct elf_symbol *s = &image->symbols[target->symbol];
	uint32_t relocs;

	if (target->use != SECTION_JUMP_TABLES)
		return 0;
	relocs = p->sections[s->section].relocs;
	if (relocs && elf_reloc_count(image, relocs))
		return error_set(err, ENOTSUP, "the entries of section '%s' are relocated",
				 image->sections[s->section].name);
	if (target->offset != s->value)
		return error_set(err, EBADMSG, "0x%" PRIx64 " is not the start of a jump table",
				 target->offset);
	if (!s->size || s->size % ENTRY ||
	    !bytes_hold(image->sections[s->section].data.size, s->value, s->size))
		return error_set(err, EBADMSG,
				 "jump table '%s' of %" PRIu64 " bytes at 0x%" PRIx64
				 " is not a table in the %zu bytes of section '%s'",
				 s->name, s->size, s->value,
				 image->sections[s->section].data.size,
				 image->sections[s->section].name);
	out->kind = OBJECT_RELOC_JUMP_TABLE;
	out->index = target->symbol;
	return 1;
}

/* Convert entry @i. Establishes that it refers to an instruction of the function. */
static int convert(const struct elf_image *image, const struct elf_symbol *s,
		   const struct object_func *f, uint32_t start, uint32_t i, uint32_t *target,
		   struct error *err)
{
	const uint64_t at = bytes_u64(image->sections[s->section].data, s->value + i * ENTRY,
				      image->swap);
	const uint64_t insn = at / sizeof(struct bpf_insn);

	if (at % sizeof(struct bpf_insn) || insn < f->first_insn ||
	    insn - f->first_insn >= f->insn_cnt)
		return error_set(err, EBADMSG,
				 "entry %" PRIu32 " of jump table '%s', 0x%" PRIx64
				 ", is not an instruction of function '%s'",
				 i, s->name, at, f->name);
	*target = start + (insn - f->first_insn);
	return 0;
}

static int link_table(const struct bpf_object *obj, const struct object_func *f, uint32_t start,
		      const struct object_reloc *reloc, struct prog_code *code, struct error *err)
{
	const uint32_t at = start + reloc->insn - f->first_insn;
	struct prog_jump_table *tables, *t;
	const struct elf_symbol *s;
	int ret = 0;

	if (reloc->kind != OBJECT_RELOC_JUMP_TABLE)
		return 0;
	s = &obj->image.symbols[reloc->index];
	if (s->size / ENTRY > TARGETS_MAX - code->nr_targets)
		return error_set(err, E2BIG, "its jump tables have more than %u entries",
				 TARGETS_MAX);
	tables = array_grow(code->jump_tables, code->nr_jump_tables, sizeof(*tables));
	if (!tables)
		return error_set(err, ENOMEM, "no memory for jump tables");
	code->jump_tables = tables;
	t = &tables[code->nr_jump_tables++];
	*t = (struct prog_jump_table){ .insn = at, .nr = s->size / ENTRY, .map_fd = -1 };
	t->targets = malloc(t->nr * sizeof(*t->targets));
	if (!t->targets)
		return error_set(err, ENOMEM, "no memory for a jump table of %u entries", t->nr);
	for (uint32_t i = 0; i < t->nr && !ret; i++)
		ret = convert(&obj->image, s, f, start, i, &t->targets[i], err);
	code->nr_targets += t->nr;
	code->insns[at].src_reg = BPF_PSEUDO_MAP_VALUE;
	code->insns[at + 1].imm = 0;
	return ret ? ret : 1;
}

const struct object_feature object_jump_tables = {
	.uses = 1 << SECTION_JUMP_TABLES, .resolve = resolve_table, .link = link_table,
};
