// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resolve the relocations of instructions: each refers to a map, variable, function or extern. This
 * is the second of three steps from the file to insn.imm: elf/relocs.c, resolve.c, relocate.c.
 *
 * An instruction is 8 bytes; ldimm64, which loads a 64-bit number, is 16:
 *
 *	byte 0    1                   2-3    4-7
 *	code      dst_reg, src_reg    off    imm
 *
 *	0x18      dst_reg, src_reg    0      low half      ldimm64: BPF_LD | BPF_IMM | BPF_DW
 *	0         0                   0      high half
 *
 * In the file, a relocation names a symbol, and src_reg is 0. For a function call it is
 * BPF_PSEUDO_CALL, even if clang knows the distance and writes no relocation. After relocate():
 *
 *	ldimm64  BPF_PSEUDO_MAP_FD     1  imm: descriptor of the map
 *	         BPF_PSEUDO_MAP_VALUE  2  imm: descriptor of the map; 2nd imm: offset in its value
 *	         BPF_PSEUDO_BTF_ID     3  imm: BTF id of a kernel variable
 *	         BPF_PSEUDO_FUNC       4  imm: distance to a function, in instructions
 *	call     0                        imm: number of a helper
 *	         BPF_PSEUDO_CALL       1  imm: distance to a function, in instructions
 *	         BPF_PSEUDO_KFUNC_CALL 2  imm: BTF id of a kernel function
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/feature.h"

struct resolver {
	struct parse *p;
	struct map_index maps;
	uint32_t *map_of;	/* owned; by symbol: 1 + index of the map at its location; 0:
				 * unknown */
	struct error why;	/* why the current relocation cannot be resolved */
	int64_t refused;	/* the function refused last; -1: none */
};

static int to_map(const struct resolver *r, uint32_t symbol, uint64_t offset,
		  struct object_reloc *out, struct error *err)
{
	const struct elf_symbol *s = &r->p->obj->image.symbols[symbol];
	const bool at_start = offset == s->value;
	int64_t map = at_start ? (int64_t)r->map_of[symbol] - 1 : -1;

	if (map < 0)
		map = map_index_at(&r->maps, r->p->obj, s->section, offset);
	if (map < 0)
		return error_set(err, EBADMSG, "no map starts at 0x%llx of section '%s'",
				 (unsigned long long)offset,
				 r->p->obj->image.sections[s->section].name);
	if (at_start)
		r->map_of[symbol] = 1 + map;
	out->kind = OBJECT_RELOC_MAP;
	out->index = map;
	return 0;
}

/*
 * The kernel does not accept an address past the last byte, but compilers do write some: the
 * address of an empty struct, or the end of an array.
 */
static int outside(const struct elf_section *s, uint64_t offset, struct error *err)
{
	if (!s->size) {
		error_set(err, EBADMSG, "an address in section '%s', which is empty", s->name);
		return error_hint(err, "an empty struct takes no space in a map and so has no "
				       "address: give it a member");
	}
	error_set(err, EBADMSG, "offset %lld is outside section '%s' of %llu bytes",
		  (long long)offset, s->name, (unsigned long long)s->size);
	return error_hint(err, "the kernel accepts no address past the end, not even that of an "
			       "array: count elements instead");
}

static int to_data(const struct resolver *r, uint32_t section, uint64_t offset,
		   struct object_reloc *out, struct error *err)
{
	const struct elf_section *s = &r->p->obj->image.sections[section];

	if (offset >= s->size)
		return outside(s, offset, err);
	out->kind = OBJECT_RELOC_DATA;
	out->index = r->p->sections[section].index;
	out->offset = offset;
	return 0;
}

static int to_func(const struct resolver *r, uint32_t section, uint64_t offset, bool call,
		   struct object_reloc *out, struct error *err)
{
	uint64_t insn = offset / sizeof(struct bpf_insn);
	int64_t func = offset % sizeof(struct bpf_insn) ? -1 : func_find(r->p->obj, section, insn);

	if (func < 0)
		return error_set(err, EBADMSG, "no function starts at 0x%llx of section '%s'",
				 (unsigned long long)offset,
				 r->p->obj->image.sections[section].name);
	out->kind = call ? OBJECT_RELOC_CALL : OBJECT_RELOC_FUNC;
	out->index = func;
	r->p->obj->funcs[func].called = true;
	return 0;
}

/*
 * Establishes that the relocated instruction is inside the section and matches the relocation type:
 * ldimm64 for R_BPF_64_64, a call for R_BPF_64_32.
 */
static int check_insn(const struct elf_image *image, uint32_t section, struct elf_reloc reloc,
		      struct bpf_insn *insn, struct error *err)
{
	uint64_t nr = image->sections[section].size / sizeof(*insn),
		 i = reloc.offset / sizeof(*insn);

	if (reloc.type != R_BPF_64_64 && reloc.type != R_BPF_64_32)
		return error_set(err, EBADMSG, "relocation type %u (%s) is not for instructions",
				 reloc.type, elf_reloc_name(reloc.type));
	if (reloc.offset % sizeof(*insn) || i >= nr)
		return error_set(err, EBADMSG, "no instruction starts there");
	*insn = insn_get(image, section, i);
	if (reloc.type == R_BPF_64_32 && !insn_is_call(*insn))
		return error_set(err, EBADMSG,
				 "R_BPF_64_32 applies to a call, but the opcode is 0x%02x",
				 insn->code);
	if (reloc.type == R_BPF_64_64 && !insn_is_ldimm64(*insn))
		return error_set(err, EBADMSG,
				 "R_BPF_64_64 applies to a 64-bit load, but the opcode is 0x%02x",
				 insn->code);
	if (reloc.type == R_BPF_64_64 && (i + 1 >= nr || insn_opcode(image, section, i + 1)))
		return error_set(err, EBADMSG, "the 64-bit load has no second half");
	return 0;
}

/*
 * Return S + A, the symbol's value plus the addend: an offset in the symbol's section. The addend
 * is in the relocation or in imm. For ldimm64 it is in bytes; for a call it is in instructions
 * minus one, because the kernel counts jumps from the next instruction. References to a map have no
 * addend: imm is ignored.
 */
static uint64_t target_offset(const struct elf_image *image, enum section_use use,
			      struct elf_reloc reloc, struct bpf_insn insn)
{
	const struct elf_symbol *symbol = &image->symbols[reloc.symbol];
	const uint64_t base = elf_reloc_base(image, &reloc);
	const bool is_map = use == SECTION_BTF_MAPS || use == SECTION_LEGACY_MAPS;

	if (reloc.has_addend)
		return base + (uint64_t)reloc.addend;
	if (is_map && symbol->type != STT_SECTION)
		return symbol->value;
	if (!insn_is_call(insn))
		return base + (uint64_t)(int64_t)insn.imm;
	/* If the field includes S, imm is S - 1, in bytes. */
	if (base != symbol->value)
		return symbol->value;
	return base + (uint64_t)(((int64_t)insn.imm + 1) * (int64_t)sizeof(insn));
}

static int resolve_reloc(const struct resolver *r, uint32_t section, struct elf_reloc reloc,
			 struct object_reloc *out, struct error *err)
{
	const struct elf_image *image = &r->p->obj->image;
	const struct elf_symbol *symbol = &image->symbols[reloc.symbol];
	enum section_use use = SECTION_UNUSED;
	struct bpf_insn insn = { 0 };
	struct reloc_target target;
	uint64_t offset;
	int ret;

	ret = check_insn(image, section, reloc, &insn, err);
	if (ret)
		return ret;
	if (symbol->section < image->nr_sections)
		use = r->p->sections[symbol->section].use;
	offset = target_offset(image, use, reloc, insn);
	out->insn = reloc.offset / sizeof(insn);
	if (insn_is_call(insn) && use != SECTION_CODE && use != SECTION_UNUSED)
		return error_set(err, EBADMSG, "a call to '%s', which is not a function",
				 symbol->name);
	switch (use) {
	case SECTION_CODE:
		return to_func(r, symbol->section, offset, insn_is_call(insn), out, err);
	case SECTION_BTF_MAPS:
	case SECTION_LEGACY_MAPS:
		return to_map(r, reloc.symbol, offset, out, err);
	case SECTION_DATA:
	case SECTION_ARENA:
		return to_data(r, symbol->section, offset, out, err);
	default:
		break;
	}
	target = (struct reloc_target){ reloc.symbol, use, offset, insn_is_call(insn) };
	ret = features_resolve(r->p, &target, out, err);
	if (ret)
		return ret < 0 ? ret : 0;
	out->kind = OBJECT_RELOC_UNRESOLVED;
	out->index = reloc.symbol;
	return 0;
}

/*
 * If more functions than this are refused, the whole object is. The limit bounds the memory for
 * messages about a hostile object.
 */
#define REFUSED_MAX 1024

int object_refuse(struct bpf_object *obj, struct error *why, struct error *err)
{
	struct error *refused;

	if (why->code == -ENOMEM || obj->nr_refused == REFUSED_MAX)
		return error_copy(err, why);
	refused = array_grow(obj->refused, obj->nr_refused, sizeof(*refused));
	if (!refused)
		return error_set(err, ENOMEM, "no memory for the refused functions");
	obj->refused = refused;
	obj->refused[obj->nr_refused++] = *why;
	return 0;
}

/*
 * Mark @reloc as refused with the error r->why: programs that link its function fail, others are
 * not affected. Return: 0, or @code if no function contains it.
 */
static int refuse(struct resolver *r, uint32_t section, int code, struct object_reloc *reloc,
		  struct error *err)
{
	struct bpf_object *obj = r->p->obj;
	const int64_t func = func_around(obj, section, reloc->insn);
	int ret;

	if (code == -ENOMEM || func < 0)
		return error_copy(err, &r->why);
	reloc->kind = OBJECT_RELOC_REFUSED;
	reloc->index = obj->nr_refused - 1;
	if (func == r->refused)
		return 0;
	ret = object_refuse(obj, &r->why, err);
	reloc->index = obj->nr_refused - 1;
	r->refused = func;
	return ret;
}

static int add_reloc(struct object_code_section *code, struct object_reloc reloc, struct error *err)
{
	struct object_reloc *relocs = array_grow(code->relocs, code->nr_relocs, sizeof(*relocs));

	if (!relocs)
		return error_set(err, ENOMEM, "no memory for relocations");
	code->relocs = relocs;
	code->relocs[code->nr_relocs++] = reloc;
	return 0;
}

static int compare_reloc(const void *a, const void *b)
{
	const struct object_reloc *x = a, *y = b;

	return (x->insn > y->insn) - (x->insn < y->insn);
}

/*
 * Return true if the relocations are in instruction order, as compilers write them; resolve_near()
 * appends others.
 */
static bool relocs_ascend(const struct object_code_section *code)
{
	for (uint32_t i = 1; i < code->nr_relocs; i++)
		if (code->relocs[i].insn <= code->relocs[i - 1].insn)
			return false;
	return true;
}

static void sort_relocs(struct object_code_section *code)
{
	qsort(code->relocs, code->nr_relocs, sizeof(*code->relocs), compare_reloc);
}

/* Refuse functions with two relocations for one instruction; the relocations are sorted. */
static int refuse_twice(struct resolver *r, struct object_code_section *code, struct error *err)
{
	uint32_t kept = 0;
	int ret = 0;

	for (uint32_t i = 0; i < code->nr_relocs && !ret; i++) {
		if (!kept || code->relocs[i].insn != code->relocs[kept - 1].insn) {
			code->relocs[kept++] = code->relocs[i];
			continue;
		}
		error_set(&r->why, EBADMSG, "instruction %u is relocated twice",
			  code->relocs[i].insn);
		error_where(&r->why, "section '%s'",
			    r->p->obj->image.sections[code->reloc_section].name);
		ret = refuse(r, code->section, -EBADMSG, &code->relocs[kept - 1], err);
	}
	code->nr_relocs = kept;
	return ret;
}

static int resolve_relocs(struct resolver *r, struct object_code_section *code, struct error *err)
{
	const struct elf_image *image = &r->p->obj->image;
	uint32_t nr = code->reloc_section ? elf_reloc_count(image, code->reloc_section) : 0;

	code->relocs = array_new(nr, sizeof(*code->relocs));
	if (!code->relocs)
		return error_set(err, ENOMEM, "no memory for %u relocations", nr);
	for (uint32_t i = 0; i < nr; i++) {
		struct elf_reloc reloc = elf_reloc_get(image, code->reloc_section, i);
		struct object_reloc *out = &code->relocs[code->nr_relocs];
		int ret;

		if (reloc.type == R_BPF_NONE)
			continue;
		*out = (struct object_reloc){ .insn = reloc.offset / sizeof(struct bpf_insn) };
		ret = resolve_reloc(r, code->section, reloc, out, &r->why);
		if (ret) {
			where_reloc(&r->why, image, code->reloc_section, i);
			ret = refuse(r, code->section, ret, out, err);
		}
		if (ret)
			return ret;
		code->nr_relocs++;
	}
	if (relocs_ascend(code))
		return 0;
	sort_relocs(code);
	return refuse_twice(r, code, err);
}

/* Find what instruction @out->insn of @func, which has no relocation, refers to. */
static int resolve_insn(struct resolver *r, const struct object_code_section *code,
			const struct object_func *func, struct object_reloc *out,
			struct error *err)
{
	const uint32_t i = out->insn;
	struct bpf_insn insn = insn_get(&r->p->obj->image, code->section, i);
	int ret = to_func(r, code->section, (uint64_t)(((int64_t)i + insn.imm + 1) * 8),
			  insn_is_call(insn), out, &r->why);

	if (!ret)
		return 0;
	error_where(&r->why, "function '%s' at 0x%llx", func->name, i * 8ULL);
	return refuse(r, code->section, ret, out, err);
}

/* Patching an ldimm64 also writes its second half, which is missing here. */
static int refuse_half(struct resolver *r, const struct object_code_section *code,
		       const struct object_func *func, struct object_reloc *out,
		       struct error *err)
{
	error_set(&r->why, EBADMSG, "the 64-bit load has no second half");
	error_where(&r->why, "function '%s' at 0x%llx", func->name, out->insn * 8ULL);
	return refuse(r, code->section, -EBADMSG, out, err);
}

static bool is_call_or_load(uint8_t opcode)
{
	return opcode == (BPF_JMP | BPF_CALL) || opcode == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Return the first call or ldimm64 of @insns from @i on, or @end. */
static uint32_t find_call_or_load(struct bytes insns, uint32_t i, uint32_t end)
{
	while (i < end && !is_call_or_load(bytes_u8(insns, (size_t)i * sizeof(struct bpf_insn))))
		i++;
	return i;
}

static void note_helper(struct object_func *func, uint32_t helper)
{
	switch (helper) {
	case BPF_FUNC_trace_printk:
	case BPF_FUNC_trace_vprintk:
		func->helpers |= HELPER_PRINTS;
		break;
	case BPF_FUNC_get_stackid:
		func->helpers |= HELPER_STACKS | HELPER_MAPS;
		break;
	case BPF_FUNC_get_stack:
	case BPF_FUNC_get_task_stack:
		func->helpers |= HELPER_STACKS;
		break;
	case BPF_FUNC_map_update_elem:
	case BPF_FUNC_perf_event_read:
	case BPF_FUNC_perf_event_read_value:
	case BPF_FUNC_perf_event_output:
	case BPF_FUNC_skb_output:
	case BPF_FUNC_xdp_output:
	case BPF_FUNC_ringbuf_output:
	case BPF_FUNC_ringbuf_reserve:
	case BPF_FUNC_ringbuf_reserve_dynptr:
		func->helpers |= HELPER_MAPS;
	}
}

/*
 * Calls to and addresses of functions in the same section may lack a relocation: imm holds the
 * distance. Add relocations for them, because linking moves functions. *@next advances through the
 * @nr_relocs existing relocations.
 */
static int resolve_near(struct resolver *r, struct object_code_section *code,
			struct object_func *func, uint32_t *next, uint32_t nr_relocs,
			struct error *err)
{
	const struct elf_image *image = &r->p->obj->image;
	const struct bytes insns = image->sections[code->section].data;
	const uint32_t end = func->first_insn + func->insn_cnt;

	for (uint32_t i = find_call_or_load(insns, func->first_insn, end); i < end;
	     i = find_call_or_load(insns, i + 1, end)) {
		const bool wide = insn_opcode(image, code->section, i) != (BPF_JMP | BPF_CALL);
		const bool half = wide &&
				  (i + 1 == end || insn_opcode(image, code->section, i + 1));
		const uint8_t src = insn_src(image, code->section, i);
		struct object_reloc out = { .insn = i }, *known;
		int ret = 0;

		if (!wide && !src)
			note_helper(func, insn_get(image, code->section, i).imm);
		if (!half && src != (wide ? BPF_PSEUDO_FUNC : BPF_PSEUDO_CALL))
			continue;
		while (*next < nr_relocs && code->relocs[*next].insn < i)
			++*next;
		known = *next < nr_relocs && code->relocs[*next].insn == i ? &code->relocs[*next] :
									     NULL;
		if (half)
			ret = refuse_half(r, code, func, known ? known : &out, err);
		else if (!known)
			ret = resolve_insn(r, code, func, &out, err);
		if (!ret && !known)
			ret = add_reloc(code, out, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int resolve_section(struct resolver *r, struct object_code_section *code,
			   uint32_t *func, struct error *err)
{
	const struct bpf_object *obj = r->p->obj;
	uint32_t next = 0, nr_relocs;
	int ret;

	ret = resolve_relocs(r, code, err);
	nr_relocs = code->nr_relocs;
	/* Functions are sorted by section, so that one pass visits both. */
	for (; !ret && *func < obj->nr_funcs && obj->funcs[*func].section == code->section; ++*func)
		ret = resolve_near(r, code, &obj->funcs[*func], &next, nr_relocs, err);
	if (!ret && code->nr_relocs > nr_relocs)
		sort_relocs(code);
	return ret;
}

int resolve_code(struct parse *p, struct error *err)
{
	struct resolver r = { .p = p, .refused = -1 };
	uint32_t func = 0;
	int ret = map_index_init(&r.maps, p->obj, err);

	r.map_of = calloc(p->obj->image.nr_symbols + UINT64_C(1), sizeof(*r.map_of));
	if (!ret && !r.map_of)
		ret = error_set(err, ENOMEM, "no memory for %u symbols", p->obj->image.nr_symbols);

	for (uint32_t i = 0; i < p->obj->nr_code && !ret; i++)
		ret = resolve_section(&r, &p->obj->code[i], &func, err);
	free(r.map_of);
	free(r.maps.list);
	return ret;
}
