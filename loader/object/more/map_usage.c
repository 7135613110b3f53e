// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the uses of maps in a linked program, in one pass over its instructions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

struct value {
	enum { VALUE_UNKNOWN, VALUE_CONST, VALUE_MAP } kind;
	uint64_t v;	/* CONST: the number; MAP: index of the map */
};

struct scan {
	const struct prog_code *code;
	struct map_usage *usage;
	struct failure_counts *failures;	/* NULL: not wanted */
	const struct object_map *maps;
	bool *is_target;	/* owned; by instruction: the target of a jump */
	struct value regs[11];
};

static void forget(struct scan *s, int first, int last)
{
	for (int i = first; i <= last; i++)
		s->regs[i].kind = VALUE_UNKNOWN;
}

uint32_t prog_code_map(const struct prog_code *code, uint32_t insn)
{
	uint32_t low = 0, high = code->nr_map_refs;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (code->map_refs[middle].insn < insn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->nr_map_refs && code->map_refs[low].insn == insn ?
		       code->map_refs[low].map : UINT32_MAX;
}

/*
 * Mark the targets of jumps and the beginnings of functions: the values of registers there depend
 * on the path.
 */
static void mark_targets(struct scan *s)
{
	const struct prog_code *code = s->code;

	for (uint32_t i = 0; i < code->nr_insns; i++) {
		struct bpf_insn insn = code->insns[i];
		const bool calls = insn_has_func(insn);
		const int64_t to = calls ? (int64_t)i + 1 + insn.imm : insn_jump_target(insn, i);

		if ((insn_is_jump(insn) || calls) && to >= 0 && to < code->nr_insns)
			s->is_target[to] = true;
		i += insn_is_ldimm64(insn);
	}
	for (uint32_t i = 0; i < code->nr_jump_tables; i++)
		for (uint32_t k = 0; k < code->jump_tables[i].nr; k++)
			s->is_target[code->jump_tables[i].targets[k]] = true;
}

/* Note that a record of @size bytes is written to @map. */
static void record(struct map_usage *map, struct value size)
{
	uint32_t bytes = size.kind == VALUE_CONST ? (uint32_t)size.v : 0;

	if (size.kind != VALUE_CONST || (map->record_size && map->record_size != bytes))
		map->record_varies = true;
	if (bytes > map->record_size)
		map->record_size = bytes;
}

/* The upper half of the flags is the number of bytes of the packet to append. */
static bool appends_nothing(struct value flags)
{
	return flags.kind == VALUE_CONST && !(flags.v >> 32);
}

static void helper_call(struct scan *s, int32_t helper)
{
	const struct value *r = s->regs;
	bool second = helper == BPF_FUNC_perf_event_output || helper == BPF_FUNC_skb_output ||
		      helper == BPF_FUNC_xdp_output;
	const struct value *map = second ? &r[2] : &r[1];
	struct map_usage *usage;

	if (map->kind != VALUE_MAP)
		return;
	usage = &s->usage[map->v];
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

/* Find out which variable counts failures of the call at @i. */
static int count_failures(struct scan *s, uint32_t i, struct error *err)
{
	const struct value *r = s->regs, *map = &r[1];
	const bool any = r[4].kind == VALUE_CONST && r[4].v == BPF_ANY;
	enum map_failure failure;
	uint32_t type;

	switch (s->code->insns[i].imm) {
	case BPF_FUNC_ringbuf_reserve:
		failure = FAILURE_RESERVE;
		break;
	case BPF_FUNC_ringbuf_output:
	case BPF_FUNC_ringbuf_reserve_dynptr:
		failure = FAILURE_OUTPUT;
		break;
	case BPF_FUNC_map_update_elem:
		failure = FAILURE_FULL;
		break;
	case BPF_FUNC_get_stackid:
		failure = FAILURE_COLLISION;
		map = &r[2];
		break;
	default:
		return 0;
	}
	if (!s->failures || map->kind != VALUE_MAP)
		return 0;
	type = s->maps[map->v].type;
	if (failure == FAILURE_FULL && type != BPF_MAP_TYPE_HASH &&
	    type != BPF_MAP_TYPE_PERCPU_HASH)
		return 0;
	return failure_counts_add(s->failures, s->code, i, failure, map->v, any, err);
}

/* Return the value of the register after an arithmetic instruction; only moves are followed. */
static struct value moved(const struct scan *s, struct bpf_insn insn)
{
	bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	struct value v = { VALUE_UNKNOWN, 0 };

	if (BPF_OP(insn.code) != BPF_MOV || insn.off)
		return v;
	if (BPF_SRC(insn.code) == BPF_K)
		return (struct value){ VALUE_CONST,
				       wide ? (uint64_t)(int64_t)insn.imm : (uint32_t)insn.imm };
	if (insn.src_reg < 11)
		v = s->regs[insn.src_reg];
	if (!wide && v.kind == VALUE_MAP)
		v.kind = VALUE_UNKNOWN;
	if (!wide)
		v.v = (uint32_t)v.v;
	return v;
}

static void load(struct scan *s, uint32_t i)
{
	const struct prog_code *code = s->code;
	struct bpf_insn insn = code->insns[i];
	struct value *to = &s->regs[insn.dst_reg];
	const uint32_t map = prog_code_map(code, i);

	to->kind = VALUE_UNKNOWN;
	if (map != UINT32_MAX && insn.src_reg == BPF_PSEUDO_MAP_FD)
		*to = (struct value){ VALUE_MAP, map };
	else if (!insn.src_reg && i + 1 < code->nr_insns)
		*to = (struct value){ VALUE_CONST,
				      (uint32_t)insn.imm |
					      (uint64_t)(uint32_t)code->insns[i + 1].imm << 32 };
}

static int step(struct scan *s, uint32_t i, struct error *err)
{
	struct bpf_insn insn = s->code->insns[i];
	int ret = 0;

	if (insn.dst_reg > 10)
		return 0;
	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		s->regs[insn.dst_reg] = moved(s, insn);
		break;
	case BPF_LD:
		if (insn_is_ldimm64(insn))
			load(s, i);
		else
			forget(s, 0, 5);	/* a packet load overwrites registers like a call */
		break;
	case BPF_LDX:
		s->regs[insn.dst_reg].kind = VALUE_UNKNOWN;
		break;
	case BPF_STX:
		if (BPF_MODE(insn.code) ==
		    BPF_ATOMIC) /* may load into src_reg, r0 or dst_reg */
			forget(s, 0, 9);
		break;
	case BPF_JMP:
		if (!insn_is_call(insn))
			break;
		if (!insn.src_reg) {
			helper_call(s, insn.imm);
			ret = count_failures(s, i, err);
		}
		forget(s, 0, 5);
		break;
	}
	return ret;
}

int map_usage_scan(const struct prog_code *code, struct map_usage *usage,
		   struct failure_counts *failures, const struct object_map *maps,
		   struct error *err)
{
	struct scan s = { .code = code, .usage = usage, .failures = failures, .maps = maps };
	int ret = 0;

	s.is_target = calloc(code->nr_insns + 1, sizeof(*s.is_target));
	if (!s.is_target)
		return error_set(err, ENOMEM, "no memory to look at %u instructions",
				 code->nr_insns);
	mark_targets(&s);
	for (uint32_t i = 0; !ret && i < code->nr_insns; i++) {
		if (s.is_target[i])
			forget(&s, 0, 10);
		ret = step(&s, i, err);
		i += insn_is_ldimm64(code->insns[i]);
	}
	free(s.is_target);
	return ret;
}
