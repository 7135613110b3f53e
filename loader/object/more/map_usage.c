// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the uses of maps in a linked program, in one pass over its instructions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

struct scan {
	const struct prog_code *code;
	struct map_usage *usage;
	struct failure_counts *failures;	/* NULL: not wanted */
	const struct object_map *maps;
	enum { TARGET = 1, FUNCTION } *begins;	/* owned; by instruction: what begins there */
	struct reg_value regs[11];
	struct reg_value only[11];	/* the only values that r6 to r9 have in a function */
};

/* Forget the values of r@first to r@last, except those of registers that never have another. */
static void forget(struct scan *s, int first, int last)
{
	for (int i = first; i <= last; i++)
		s->regs[i] = s->only[i];
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
static void mark_beginnings(struct scan *s)
{
	const struct prog_code *code = s->code;

	for (uint32_t i = 0; i < code->nr_insns; i++) {
		struct bpf_insn insn = code->insns[i];
		const bool calls = insn_has_func(insn);
		const int64_t to = calls ? (int64_t)i + 1 + insn.imm : insn_jump_target(insn, i);

		if ((insn_is_jump(insn) || calls) && to >= 0 && to < code->nr_insns)
			s->begins[to] = calls || s->begins[to] == FUNCTION ? FUNCTION : TARGET;
		i += insn_is_ldimm64(insn);
	}
	for (uint32_t i = 0; i < code->nr_jump_tables; i++)
		for (uint32_t k = 0; k < code->jump_tables[i].nr; k++)
			s->begins[code->jump_tables[i].targets[k]] = TARGET;
}

/* Note that a record of @size bytes is written to @map. */
static void record(struct map_usage *map, struct reg_value size)
{
	uint32_t bytes = size.kind == VALUE_CONST ? (uint32_t)size.v : 0;

	if (size.kind != VALUE_CONST || (map->record_size && map->record_size != bytes))
		map->record_varies = true;
	if (bytes > map->record_size)
		map->record_size = bytes;
}

/* The upper half of the flags is the number of bytes of the packet to append. */
static bool appends_nothing(struct reg_value flags)
{
	return flags.kind == VALUE_CONST && !(flags.v >> 32);
}

/* The lower half of the flags is BPF_F_CURRENT_CPU, or the number of the CPU that has the ring. */
static bool names_cpu(struct reg_value flags)
{
	return flags.kind == VALUE_CONST && (uint32_t)flags.v != (uint32_t)BPF_F_CURRENT_CPU;
}

static void helper_call(struct scan *s, int32_t helper)
{
	const struct reg_value *r = s->regs;
	bool second = helper == BPF_FUNC_perf_event_output || helper == BPF_FUNC_skb_output ||
		      helper == BPF_FUNC_xdp_output;
	const struct reg_value *map = second ? &r[2] : &r[1];
	struct map_usage *usage;

	if (map->kind != VALUE_MAP)
		return;
	usage = &s->usage[map->map];
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
		usage->one_ring |= names_cpu(r[3]);
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
	const struct reg_value *r = s->regs, *map = &r[1];
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
	type = s->maps[map->map].type;
	if (failure == FAILURE_FULL && type != BPF_MAP_TYPE_HASH &&
	    type != BPF_MAP_TYPE_PERCPU_HASH)
		return 0;
	return failure_counts_add(s->failures, s->code, i, failure, map->map, r, err);
}

/* Return the value of the register after an arithmetic instruction; only moves are followed. */
static struct reg_value moved(const struct scan *s, struct bpf_insn insn)
{
	bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	struct reg_value v = { .kind = VALUE_UNKNOWN };

	if (BPF_OP(insn.code) != BPF_MOV || insn.off)
		return v;
	if (BPF_SRC(insn.code) == BPF_K)
		return (struct reg_value){ .kind = VALUE_CONST, .v = wide ?
				(uint64_t)(int64_t)insn.imm : (uint32_t)insn.imm };
	if (insn.src_reg < 11)
		v = s->regs[insn.src_reg];
	if (!wide && v.kind != VALUE_CONST)
		v.kind = VALUE_UNKNOWN;
	if (!wide)
		v.v = (uint32_t)v.v;
	return v;
}

/* Return what ldimm64 loads. */
static struct reg_value loaded(const struct prog_code *code, uint32_t i)
{
	const struct bpf_insn insn = code->insns[i];
	const uint32_t map = prog_code_map(code, i);
	const uint32_t upper = i + 1 < code->nr_insns ? (uint32_t)code->insns[i + 1].imm : 0;
	const uint64_t number = (uint64_t)upper << 32 | (uint32_t)insn.imm;

	if (map != UINT32_MAX && insn.src_reg == BPF_PSEUDO_MAP_FD)
		return (struct reg_value){ .kind = VALUE_MAP, .map = map };
	if (map != UINT32_MAX && insn.src_reg == BPF_PSEUDO_MAP_VALUE)
		return (struct reg_value){ .kind = VALUE_VARIABLE, .map = map, .v = upper };
	if (!insn.src_reg && i + 1 < code->nr_insns)
		return (struct reg_value){ .kind = VALUE_CONST, .v = number };
	return (struct reg_value){ .kind = VALUE_UNKNOWN };
}

/* Return the register that an instruction writes beside r0 to r5, which calls write; or 0. */
static unsigned int written(struct bpf_insn insn)
{
	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX:
		return insn.dst_reg;
	case BPF_LD:
		return insn_is_ldimm64(insn) ? insn.dst_reg : 0;
	case BPF_STX:
		if (BPF_MODE(insn.code) != BPF_ATOMIC || insn.imm == BPF_CMPXCHG)
			return 0;
		return insn.imm == BPF_LOAD_ACQ ? insn.dst_reg :
		       insn.imm & BPF_FETCH ? insn.src_reg : 0;
	}
	return 0;
}

static bool same_value(struct reg_value a, struct reg_value b)
{
	return a.kind == b.kind && a.map == b.map && a.v == b.v;
}

/*
 * Find the values of r6 to r9 that the function at @i writes again and again, and no other. They
 * are known everywhere in it: the verifier lets nothing read a register before it is written.
 */
static void find_only_values(struct scan *s, uint32_t i)
{
	const struct prog_code *code = s->code;
	bool seen[11] = { false };
	const uint32_t begin = i;

	memset(s->only, 0, sizeof(s->only));
	for (; i < code->nr_insns && (i == begin || s->begins[i] != FUNCTION); i++) {
		const struct bpf_insn insn = code->insns[i];
		const unsigned int class = BPF_CLASS(insn.code), reg = written(insn);
		const bool is_move = class == BPF_ALU || class == BPF_ALU64;
		struct reg_value v = { .kind = VALUE_UNKNOWN };

		if (insn_is_ldimm64(insn))
			v = loaded(code, i);
		else if (is_move && BPF_SRC(insn.code) == BPF_K)
			v = moved(s, insn);
		i += insn_is_ldimm64(insn);
		if (reg < 6 || reg > 9)
			continue;
		if (!seen[reg])
			s->only[reg] = v;
		else if (!same_value(s->only[reg], v))
			s->only[reg].kind = VALUE_UNKNOWN;
		seen[reg] = true;
	}
}

static int step(struct scan *s, uint32_t i, struct error *err)
{
	struct bpf_insn insn = s->code->insns[i];
	int ret = 0;

	if (insn.dst_reg > 10 || insn.src_reg > 10)
		return 0;
	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		s->regs[insn.dst_reg] = moved(s, insn);
		break;
	case BPF_LD:
		if (insn_is_ldimm64(insn))
			s->regs[insn.dst_reg] = loaded(s->code, i);
		else
			forget(s, 0, 5);	/* a packet load overwrites registers like a call */
		break;
	case BPF_LDX:
		forget(s, insn.dst_reg, insn.dst_reg);
		break;
	case BPF_STX:	/* an atomic operation may read into a register, or into r0 */
		if (BPF_MODE(insn.code) == BPF_ATOMIC)
			forget(s, 0, 0);
		forget(s, written(insn), written(insn));
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

	s.begins = calloc(code->nr_insns + 1, sizeof(*s.begins));
	if (!s.begins)
		return error_set(err, ENOMEM, "no memory to look at %u instructions",
				 code->nr_insns);
	mark_beginnings(&s);
	for (uint32_t i = 0; !ret && i < code->nr_insns; i++) {
		if (!i || s.begins[i] == FUNCTION)
			find_only_values(&s, i);
		if (s.begins[i])
			forget(&s, 0, 10);
		ret = step(&s, i, err);
		i += insn_is_ldimm64(code->insns[i]);
	}
	free(s.begins);
	return ret;
}
