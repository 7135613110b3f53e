// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a linked program does with its maps, as far as a linear walk over its instructions can tell.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

struct value {
	enum { VALUE_UNKNOWN, VALUE_CONST, VALUE_MAP } kind;
	uint64_t v;	/* CONST: the number; MAP: index of the map */
};

struct walk {
	const struct prog_code *code;
	struct map_usage *usage;
	bool *is_target;	/* owned; by instruction: some jump leads there */
	struct value regs[11];
	uint32_t ref;		/* the next of code->map_refs */
};

static void forget(struct walk *w, int first, int last)
{
	for (int i = first; i <= last; i++)
		w->regs[i].kind = VALUE_UNKNOWN;
}

static bool is_jump(struct bpf_insn insn)
{
	unsigned int class = BPF_CLASS(insn.code), op = BPF_OP(insn.code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

/*
 * Mark where jumps lead and where functions begin: what registers hold there depends on the way
 * taken.
 */
static void mark_targets(struct walk *w)
{
	const struct prog_code *code = w->code;

	for (uint32_t i = 0; i < code->nr_insns; i++) {
		struct bpf_insn insn = code->insns[i];
		bool far = insn.code == (BPF_JMP32 | BPF_JA);	/* gotol: the distance is in imm */
		bool calls = (insn_is_call(insn) && insn.src_reg == BPF_PSEUDO_CALL) ||
			     (insn_is_ldimm64(insn) && insn.src_reg == BPF_PSEUDO_FUNC);
		int64_t to = (int64_t)i + 1 + (far || calls ? insn.imm : insn.off);

		if ((is_jump(insn) || calls) && to >= 0 && to < code->nr_insns)
			w->is_target[to] = true;
		i += insn_is_ldimm64(insn);
	}
}

/* A record of @size bytes goes into @map. */
static void record(struct map_usage *map, struct value size)
{
	uint32_t bytes = size.kind == VALUE_CONST ? (uint32_t)size.v : 0;

	if (size.kind != VALUE_CONST || (map->record_size && map->record_size != bytes))
		map->record_varies = true;
	if (bytes > map->record_size)
		map->record_size = bytes;
}

/* The upper half of the flags appends so many bytes of the packet. */
static bool appends_nothing(struct value flags)
{
	return flags.kind == VALUE_CONST && !(flags.v >> 32);
}

static void helper_call(struct walk *w, int32_t helper)
{
	const struct value *r = w->regs;
	bool second = helper == BPF_FUNC_perf_event_output || helper == BPF_FUNC_skb_output ||
		      helper == BPF_FUNC_xdp_output;
	const struct value *map = second ? &r[2] : &r[1];
	struct map_usage *usage;

	if (map->kind != VALUE_MAP)
		return;
	usage = &w->usage[map->v];
	switch (helper) {
	case BPF_FUNC_perf_event_read:
	case BPF_FUNC_perf_event_read_value:
		usage->read = true;
		break;
	case BPF_FUNC_perf_event_output:
	case BPF_FUNC_skb_output:
	case BPF_FUNC_xdp_output:
		usage->output = true;
		usage->payload |= !appends_nothing(r[3]);
		record(usage, r[5]);
		break;
	case BPF_FUNC_ringbuf_output:
		record(usage, r[3]);
		break;
	case BPF_FUNC_ringbuf_reserve:
	case BPF_FUNC_ringbuf_reserve_dynptr:
		record(usage, r[2]);
		break;
	}
}

/*
 * What an arithmetic instruction leaves in its register: moves are followed, the rest is not known.
 */
static struct value moved(const struct walk *w, struct bpf_insn insn)
{
	bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	struct value v = { VALUE_UNKNOWN, 0 };

	if (BPF_OP(insn.code) != BPF_MOV || insn.off)
		return v;
	if (BPF_SRC(insn.code) == BPF_K)
		return (struct value){ VALUE_CONST,
				       wide ? (uint64_t)(int64_t)insn.imm : (uint32_t)insn.imm };
	if (insn.src_reg < 11)
		v = w->regs[insn.src_reg];
	if (!wide && v.kind == VALUE_MAP)
		v.kind = VALUE_UNKNOWN;
	if (!wide)
		v.v = (uint32_t)v.v;
	return v;
}

static void load(struct walk *w, uint32_t i)
{
	const struct prog_code *code = w->code;
	struct bpf_insn insn = code->insns[i];
	struct value *to = &w->regs[insn.dst_reg];

	while (w->ref < code->nr_map_refs && code->map_refs[w->ref].insn < i)
		w->ref++;
	to->kind = VALUE_UNKNOWN;
	if (w->ref < code->nr_map_refs && code->map_refs[w->ref].insn == i &&
	    insn.src_reg == BPF_PSEUDO_MAP_FD)
		*to = (struct value){ VALUE_MAP, code->map_refs[w->ref].map };
	else if (!insn.src_reg && i + 1 < code->nr_insns)
		*to = (struct value){ VALUE_CONST,
				      (uint32_t)insn.imm |
					      (uint64_t)(uint32_t)code->insns[i + 1].imm << 32 };
}

static void step(struct walk *w, uint32_t i)
{
	struct bpf_insn insn = w->code->insns[i];

	if (insn.dst_reg > 10)
		return;
	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		w->regs[insn.dst_reg] = moved(w, insn);
		break;
	case BPF_LD:
		if (insn_is_ldimm64(insn))
			load(w, i);
		else
			forget(w, 0, 5);	/* packet loads: as calls do */
		break;
	case BPF_LDX:
		w->regs[insn.dst_reg].kind = VALUE_UNKNOWN;
		break;
	case BPF_STX:
		if (BPF_MODE(insn.code) ==
		    BPF_ATOMIC) /* may fetch into src_reg, or into r0, or load into dst_reg */
			forget(w, 0, 9);
		break;
	case BPF_JMP:
		if (!insn_is_call(insn))
			break;
		if (!insn.src_reg)
			helper_call(w, insn.imm);
		forget(w, 0, 5);
		break;
	}
}

int map_usage_scan(const struct prog_code *code, struct map_usage *usage, struct error *err)
{
	struct walk w = { .code = code, .usage = usage };

	w.is_target = calloc(code->nr_insns + 1, sizeof(*w.is_target));
	if (!w.is_target)
		return error_set(err, ENOMEM, "no memory to look at %u instructions",
				 code->nr_insns);
	mark_targets(&w);
	for (uint32_t i = 0; i < code->nr_insns; i++) {
		if (w.is_target[i])
			forget(&w, 0, 10);
		step(&w, i);
		i += insn_is_ldimm64(code->insns[i]);
	}
	free(w.is_target);
	return 0;
}
