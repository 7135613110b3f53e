// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stages that write into the instructions: references to maps, and calls. The instructions that
 * BPF_PROG_LOAD gets are compared, function by function, with those of the object. Functions may be
 * in any order, and a descriptor is right if it is that of the map.
 */
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/names.h"
#include "test/judge/stages/stages.h"

#define PSEUDO_MAX 6	/* BPF_PSEUDO_MAP_IDX_VALUE */

/* A comparison of the functions that a program reaches. */
struct comparison {
	struct run *run;
	const struct seen_prog *prog;
	uint32_t *starts;	/* by function: 1 + where it begins; 0: not met yet */
	bool calls;		/* references to functions are looked at, too */
};

static const struct bpf_insn *object_insns(const struct bpf_object *obj,
					   const struct object_func *f)
{
	return (const struct bpf_insn *)obj->image.sections[f->section].data.data + f->first_insn;
}

static const struct object_reloc *reloc_at(const struct bpf_object *obj,
					   const struct object_func *f, uint32_t i)
{
	const struct object_code_section *code = &obj->code[f->code];

	for (uint32_t r = 0; r < code->nr_relocs; r++)
		if (code->relocs[r].insn == f->first_insn + i)
			return &code->relocs[r];
	return NULL;
}

/* A loader may have created another map like it, to probe the kernel. */
static bool same_map(const struct bpf_map_info *a, const struct bpf_map_info *b)
{
	return a->type == b->type && a->key_size == b->key_size && a->value_size == b->value_size &&
	       a->max_entries == b->max_entries;
}

static bool map_is_right(struct comparison *c, uint32_t at, const struct object_reloc *reloc)
{
	const struct bpf_insn *insn = &c->prog->insns[at];
	const struct object_map *map = &c->run->object.maps[reloc->index];
	const bool is_data = reloc->kind == OBJECT_RELOC_DATA;
	const unsigned int src = insn->src_reg;
	const struct seen_map *wanted = seen_map_of(c->run, reloc->index), *seen;

	if (src == 0)
		return wrong(c->run, "instruction %u refers to '%s' and has source register 0, so the "
			     "kernel takes %d for a number and not for a map: it has to be %d (%s)", at,
			     map->name, insn->imm, is_data ? 2 : 1,
			     is_data ? "BPF_PSEUDO_MAP_VALUE" : "BPF_PSEUDO_MAP_FD");
	if (is_data && (src == BPF_PSEUDO_MAP_FD || src == BPF_PSEUDO_MAP_IDX))
		return wrong(c->run, "instruction %u refers to a variable of '%s' and has source "
			     "register %u, which is the map itself: 2 (BPF_PSEUDO_MAP_VALUE) is the "
			     "address of its value", at, map->name, src);
	if (!is_data && (src == BPF_PSEUDO_MAP_VALUE || src == BPF_PSEUDO_MAP_IDX_VALUE))
		return wrong(c->run, "instruction %u refers to map '%s' and has source register %u, "
			     "which is the address of its value: 1 (BPF_PSEUDO_MAP_FD) is the map", at,
			     map->name, src);
	seen = seen_map_id(c->run, c->prog->map_ids[at]);
	if (!c->prog->map_ids[at])
		return wrong(c->run, "instruction %u refers to '%s': its imm is %d, which is no "
			     "descriptor of a map", at, map->name, insn->imm);
	if (seen && seen != wanted && (!wanted || !same_map(&seen->info, &wanted->info)))
		return wrong(c->run, "instruction %u refers to '%s', and its descriptor %d is that of "
			     "map '%s'", at, map->name, insn->imm, seen->info.name);
	if (is_data && (uint32_t)insn[1].imm != reloc->offset)
		return wrong(c->run, "instruction %u refers to the variable at offset %u of '%s', and "
			     "the imm of its second half is %d: the program would use another variable, "
			     "silently", at, reloc->offset, map->name, insn[1].imm);
	return true;
}

static bool function_is_right(struct comparison *c, uint32_t func, uint32_t start);

static bool call_is_right(struct comparison *c, uint32_t func, uint32_t at,
			  const struct bpf_insn *old, const struct object_reloc *reloc)
{
	const struct object_func *f = &c->run->object.funcs[func];
	const struct object_func *callee = &c->run->object.funcs[reloc->index];
	const struct bpf_insn *insn = &c->prog->insns[at];
	const bool is_call = reloc->kind == OBJECT_RELOC_CALL;
	const int64_t target = (int64_t)at + 1 + insn->imm;

	if (is_call && insn->src_reg != BPF_PSEUDO_CALL)
		return wrong(c->run, "instruction %u calls '%s' and has source register %u: 1 "
			     "(BPF_PSEUDO_CALL) is a function of the program, 0 a helper", at,
			     callee->name, insn->src_reg);
	if (!is_call && insn->src_reg != BPF_PSEUDO_FUNC)
		return wrong(c->run, "instruction %u takes the address of '%s' and has source register "
			     "%u, not 4 (BPF_PSEUDO_FUNC)", at, callee->name, insn->src_reg);
	if (target < 0 || target >= c->prog->nr_insns)
		return wrong(c->run, "instruction %u calls '%s', and its imm %d leads to instruction "
			     "%lld, outside of the program, which has %u%s", at, callee->name, insn->imm,
			     (long long)target, c->prog->nr_insns,
			     insn->imm == old->imm ? ": it is still that of the object" : "");
	if (c->starts[reloc->index] && c->starts[reloc->index] - 1 != target)
		allowed(c->run, "'%s' is in the program more than once", callee->name);
	if (!function_is_right(c, reloc->index, target)) {
		if (insn->imm == old->imm)
			return wrong(c->run, "'%s' calls '%s' %s, and its imm is still %d: the distance "
				     "in the object is not that in the program, where functions move",
				     f->name, callee->name, "at instruction", insn->imm);
		return wrong(c->run, "instruction %u calls '%s', and its imm %d leads to instruction "
			     "%lld, where that function does not begin: the distance counts "
			     "instructions from the one after the call", at, callee->name, insn->imm,
			     (long long)target);
	}
	return true;
}

static bool insn_is_right(struct comparison *c, uint32_t func, uint32_t i, uint32_t at)
{
	const struct object_func *f = &c->run->object.funcs[func];
	const struct bpf_insn *old = object_insns(&c->run->object, f) + i;
	const struct bpf_insn *insn = &c->prog->insns[at];
	const struct object_reloc *reloc = reloc_at(&c->run->object, f, i);

	if (insn->code != old->code || insn->dst_reg != old->dst_reg || insn->off != old->off)
		return wrong(c->run, "instruction %u is another one than instruction %u of '%s' in the "
			     "object: only src_reg and imm of references change", at, i, f->name);
	if (reloc && (reloc->kind == OBJECT_RELOC_MAP || reloc->kind == OBJECT_RELOC_DATA))
		return map_is_right(c, at, reloc);
	if (reloc && (reloc->kind == OBJECT_RELOC_CALL || reloc->kind == OBJECT_RELOC_FUNC))
		return !c->calls || call_is_right(c, func, at, old, reloc);
	if (!reloc && (insn->imm != old->imm || insn->src_reg != old->src_reg))
		return wrong(c->run, "instruction %u refers to nothing, and its imm is %d, not %d", at,
			     insn->imm, old->imm);
	return true;
}

/* The second half of a ldimm64 is an imm, which only a reference to a variable changes. */
static bool half_is_right(struct comparison *c, uint32_t at, const struct bpf_insn *old,
			  bool is_data)
{
	const struct bpf_insn *insn = &c->prog->insns[at];

	if (insn->code || insn->dst_reg || insn->src_reg || insn->off)
		return wrong(c->run, "instruction %u is the second half of the one before: all of it but imm is "
			     "0", at);
	return is_data || insn->imm == old->imm ||
	       wrong(c->run, "instruction %u is the second half of the one before: its imm is %d, not %d", at,
		     insn->imm, old->imm);
}

/* Compare @func with the instructions from @start on, and what it calls. */
static bool function_is_right(struct comparison *c, uint32_t func, uint32_t start)
{
	const struct object_func *f = &c->run->object.funcs[func];
	const struct bpf_insn *old = object_insns(&c->run->object, f);

	if (c->starts[func] == start + 1)
		return true;
	if (start + f->insn_cnt > c->prog->nr_insns)
		return wrong(c->run, "the program ends in the middle of '%s'", f->name);
	if (memcmp(&old->code, &c->prog->insns[start].code, 1))
		return wrong(c->run, "'%s' does not begin at instruction %u", f->name, start);
	c->starts[func] = start + 1;
	for (uint32_t i = 0; i < f->insn_cnt; i++) {
		const bool wide = old[i].code == (BPF_LD | BPF_IMM | BPF_DW);

		if (!insn_is_right(c, func, i, start + i))
			return false;
		if (wide && !half_is_right(c, start + i + 1, old + i + 1,
					   c->prog->insns[start + i].src_reg == BPF_PSEUDO_MAP_VALUE ||
					   c->prog->insns[start + i].src_reg == BPF_PSEUDO_MAP_IDX_VALUE))
			return false;
		i += wide;
	}
	return true;
}

/* Return the index of the function of the program that is to be loaded: the first. */
static uint32_t first_program(const struct bpf_object *obj)
{
	return obj->progs[0].func;
}

bool check_load_tried(struct run *run)
{
	const struct object_func *f = &run->object.funcs[first_program(&run->object)];
	const struct seen_prog *prog = seen_load(run);

	if (!prog && run->seen.btf_error)
		return wrong(run, "BPF_PROG_LOAD was not called; BPF_BTF_LOAD failed with %s%s%s",
			     sys_errno_name(run->seen.btf_error) ?: "an error",
			     run->seen.btf_reason[0] ? ": " : " and no log", run->seen.btf_reason);
	if (!prog)
		return wrong(run, "BPF_PROG_LOAD was not called%s", last_failure(run));
	if (prog->attr.insn_cnt >= 8 * f->insn_cnt)
		return wrong(run, "insn_cnt is %u: it counts instructions, of which '%s' has %u, not bytes",
			     prog->attr.insn_cnt, f->name, f->insn_cnt);
	if (prog->nr_insns < f->insn_cnt)
		return wrong(run, "BPF_PROG_LOAD got %u instructions: program '%s' has %u",
			     prog->nr_insns, f->name, f->insn_cnt);
	return true;
}

/* The first instructions of the program are those of its function. */
static bool begins_with_program(struct run *run)
{
	const struct object_func *f = &run->object.funcs[first_program(&run->object)];
	const struct seen_prog *prog = seen_load(run);

	for (uint32_t i = 0; i < f->insn_cnt; i++)
		if (prog->insns[i].code != object_insns(&run->object, f)[i].code)
			return wrong(run, "the program does not begin with '%s': instruction %u of it is "
				     "another one. That function begins at instruction %u of its section",
				     f->name, i, f->first_insn);
	return true;
}

static bool compare(struct run *run, bool calls)
{
	struct comparison c = { .run = run, .prog = seen_load(run), .calls = calls,
				.starts = calloc(run->object.nr_funcs, sizeof(uint32_t)) };
	const bool right = c.starts && function_is_right(&c, first_program(&run->object), 0);

	free(c.starts);
	return right;
}

static bool references_right(struct run *run)
{
	return compare(run, false);
}

static bool calls_right(struct run *run)
{
	return compare(run, true);
}

static bool callees_there(struct run *run)
{
	const struct object_func *f = &run->object.funcs[first_program(&run->object)];
	const struct seen_prog *prog = seen_load(run);

	if (prog->nr_insns == f->insn_cnt)
		return wrong(run, "the program has the %u instructions of '%s' alone: the kernel needs the "
			     "functions that it calls, too, in the same array", prog->nr_insns, f->name);
	return true;
}

#define MEANING_PAGE "book/meaning.md"

#define LOAD(stage, page) \
	{ stage ".load", check_load_tried, "BPF_PROG_LOAD got the instructions", page, \
	  { "BPF_PROG_LOAD is command 5; the program type of a perf event is 7.", \
	    "Offsets in attr: prog_type 0, insn_cnt 4, insns 8, license 16, log_level 24, " \
	    "log_size 28, log_buf 32. log_size without log_level is EINVAL.", \
	    "insn_cnt is st_size / 8 of the program's symbol." } }

const struct stage stage_references = {
	.name = "references", .title = "Write the maps into the instructions",
	.task = "Relocate the first program: where an instruction refers to a map or a variable, write the "
		"descriptor of its map. Pass the instructions to BPF_PROG_LOAD; here it may still fail.",
	.object = "base.bpf.c", .features = "SEVERAL", .method = "ioctl",
	.checks = (const struct check[]){
		LOAD("references", MEANING_PAGE),
		{ "references.begin", begins_with_program, "they begin with the program", MEANING_PAGE,
		  { "Another function may come first in the section.",
		    "st_value of the symbol is where the program begins, in bytes.",
		    "instructions = section[st_value : st_value + st_size]" } },
		{ "references.maps", references_right, "and refer to the maps", MEANING_PAGE,
		  { "The section .rel with sh_info of the program's section has an entry for each reference.",
		    "r_offset is the place in the section; r_info >> 32 the symbol. Its st_shndx says which "
		    "map: .maps, or a section of variables.",
		    "A map: src_reg 1, imm the descriptor. A variable: src_reg 2, imm the descriptor, imm of "
		    "the next 8 bytes st_value plus the imm that was in the first." } },
		{ 0 } },
	.beyond = "pload also resolves externs, kernel functions, jump tables and CO-RE relocations: "
		  "loader/core/object/resolve.c.",
};

const struct stage stage_calls = {
	.name = "calls", .title = "Link the functions",
	.task = "Append the functions that the program calls, and those that they call, each once, and "
		"write the distances into the calls.",
	.object = "base.bpf.c", .features = "CALLS SEVERAL", .method = "ioctl",
	.checks = (const struct check[]){
		LOAD("calls", "book/linking.md"),
		{ "calls.appended", callees_there, "the functions that it calls are there, too",
		  "book/linking.md",
		  { "The kernel gets one array of instructions, the program first.",
		    "A call has code 0x85 and src_reg 1; a relocation names its function, or none is needed "
		    "because both are in one section.",
		    "Append a function when you meet the first call of it; relocate it, too." } },
		{ "calls.distances", calls_right, "and calls lead to them", "book/linking.md",
		  { "imm of a call is a distance, in instructions, from the one after the call.",
		    "The callee in the object: symbol's st_value + (imm + 1) * 8, or without a relocation "
		    "this instruction's offset + (imm + 1) * 8.",
		    "imm = start of the callee in the program - (index of the call + 1)" } },
		{ 0 } },
	.beyond = "pload also moves the line numbers and the relocations of functions: "
		  "loader/core/object/relocate.c.",
};
