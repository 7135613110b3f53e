// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The effect of one instruction on the register state. */
#include "elf/flow/flow_internal.h"

static const struct flow_value unknown = { 0 };

/* Calculate *@a op= @b. Return false for operations not worth supporting. */
static bool calculate(unsigned int op, uint64_t *a, uint64_t b, bool wide)
{
	const unsigned int shift = b & (wide ? 63 : 31);

	switch (op) {
	case BPF_ADD: *a += b; break;
	case BPF_SUB: *a -= b; break;
	case BPF_AND: *a &= b; break;
	case BPF_OR: *a |= b; break;
	case BPF_XOR: *a ^= b; break;
	case BPF_LSH: *a <<= shift; break;
	case BPF_RSH: *a = (wide ? *a : (uint32_t)*a) >> shift; break;
	case BPF_ARSH: *a = wide ? (uint64_t)((int64_t)*a >> shift) :
				   (uint32_t)((int32_t)*a >> shift); break;
	default: return false;
	}
	*a = wide ? *a : (uint32_t)*a;
	return true;
}

/* Return the address @at plus @by; any other kind of value becomes unknown. */
static struct flow_value moved(struct flow_value at, uint32_t by)
{
	if (at.low.kind < FLOW_CONTEXT || at.low.kind > FLOW_RECORD ||
	    !flow_belongs(at.high, at.low))
		return unknown;
	if (at.low.kind != FLOW_STACK || at.low.v != FLOW_SOMEWHERE)
		at.low.v = at.high.v = at.low.v + by;
	return at;
}

static struct flow_value operand(const struct flow_value *regs, struct bpf_insn insn)
{
	return BPF_SRC(insn.code) == BPF_K ? flow_number((uint64_t)(int64_t)insn.imm) :
					     regs[insn.src_reg];
}

/* A shift by 32 moves one half to the other. */
static struct flow_value shifted(struct flow_value v, unsigned int op)
{
	if (op == BPF_LSH)
		return (struct flow_value){ flow_half(FLOW_NUMBER, 0, 0), v.low };
	return flow_extended(v.high, op == BPF_ARSH);
}

static struct flow_value added(struct flow_value v, struct flow_value by)
{
	if (flow_is(v, FLOW_LOADED) && flow_is(by, FLOW_NUMBER) && flow_get_number(by) == 1) {
		v.low.kind = v.high.kind = FLOW_LOADED_1;
		return v;
	}
	if (flow_is(by, FLOW_NUMBER))
		return moved(v, by.low.v);
	return flow_is(v, FLOW_STACK) ? flow_whole(flow_half(FLOW_STACK, 0, FLOW_SOMEWHERE)) :
					unknown;
}

static struct flow_value calculated(struct flow_value v, struct flow_value by, unsigned int op,
				    bool wide)
{
	const bool shift = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
	uint64_t number = flow_get_number(v);

	if (v.low.kind == FLOW_NUMBER && by.low.kind == FLOW_NUMBER &&
	    (!wide || (v.high.kind == FLOW_NUMBER && by.high.kind == FLOW_NUMBER)) &&
	    calculate(op, &number, flow_get_number(by), wide))
		return flow_number(number);
	return shift && wide && flow_is(by, FLOW_NUMBER) && by.low.v == 32 ? shifted(v, op) :
									     unknown;
}

/* movsx takes the lower @off bits of its source. */
static struct flow_value copied(struct flow_value v, struct bpf_insn insn, bool wide)
{
	if (insn.off && (insn.off != 32 || !wide))
		return unknown;
	return wide && !insn.off ? v : flow_extended(v.low, insn.off);
}

static void arithmetic(struct flow_value *regs, struct bpf_insn insn)
{
	const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	const unsigned int op = BPF_OP(insn.code);
	struct flow_value *to = &regs[insn.dst_reg], number;
	const struct flow_value *by = &regs[insn.src_reg];

	if (BPF_SRC(insn.code) == BPF_K) {
		number = flow_number((uint64_t)(int64_t)insn.imm);
		by = &number;
	}
	if (op == BPF_MOV && wide && !insn.off)
		*to = *by;
	else if (op == BPF_MOV)
		*to = copied(*by, insn, wide);
	else if (wide && op == BPF_ADD && !flow_is(*to, FLOW_NUMBER))
		*to = added(*to, *by);
	else
		*to = calculated(*to, *by, op, wide);
}

/* Return the value that ldimm64 loads. */
static struct flow_value loaded(const struct flow *f, uint32_t i)
{
	const struct flow_program *p = f->program;
	const struct bpf_insn insn = p->insns[i];
	const uint32_t upper = i + 1 < p->nr_insns ? (uint32_t)p->insns[i + 1].imm : 0;
	uint32_t map;

	if (!insn.src_reg)
		return flow_number((uint64_t)upper << 32 | (uint32_t)insn.imm);
	if (insn.src_reg == BPF_PSEUDO_FUNC)
		return flow_whole(flow_half(FLOW_FUNC, 0, i + 1 + (uint32_t)insn.imm));
	map = p->map(p->arg, i);
	if (map <= UINT16_MAX && insn.src_reg == BPF_PSEUDO_MAP_FD)
		return flow_whole(flow_half(FLOW_MAP, map, 0));
	if (map <= UINT16_MAX && insn.src_reg == BPF_PSEUDO_MAP_VALUE)
		return flow_whole(flow_half(FLOW_VALUE, map, upper));
	return unknown;
}

/* Some atomic operations return the old value: in the source register, or in r0. */
static void atomic(struct flow *f, struct flow_value *regs, struct bpf_insn insn)
{
	const struct flow_value at = moved(regs[insn.dst_reg], insn.off);

	if (insn.imm == BPF_LOAD_ACQ) {
		regs[insn.dst_reg] = unknown;
		return;
	}
	flow_store(f, at, insn_size(insn),
		   insn.imm == BPF_STORE_REL ? regs[insn.src_reg] : unknown);
	if (insn.imm == BPF_CMPXCHG)
		regs[0] = unknown;
	else if (insn.imm & BPF_FETCH && insn.imm != BPF_STORE_REL)
		regs[insn.src_reg] = unknown;
}

static void load(struct flow *f, struct flow_value *regs, struct bpf_insn insn)
{
	struct flow_value v = flow_load(f, moved(regs[insn.src_reg], insn.off), insn_size(insn));

	if (BPF_MODE(insn.code) == BPF_MEMSX)
		v = flow_extended(v.low, true);
	regs[insn.dst_reg] = v;
}

static void call(struct flow *f, struct flow_value *regs, uint32_t i)
{
	const struct bpf_insn insn = f->program->insns[i];

	if (!insn.src_reg) {
		flow_call_helper(f, i);
	} else if (insn.src_reg == BPF_PSEUDO_CALL) {
		flow_call(f, (int64_t)i + 1 + insn.imm);
	} else {	/* a kernel function with an unknown prototype */
		for (int r = 1; r < 6; r++)
			flow_forget(f, regs[r]);
		regs[0] = unknown;
	}
	memset(&regs[1], 0, 5 * sizeof(*regs));
}

void flow_step(struct flow *f, struct flow_value regs[FLOW_REGS], uint32_t i)
{
	const struct bpf_insn insn = f->program->insns[i];

	if (insn.dst_reg >= FLOW_REGS || insn.src_reg >= FLOW_REGS)
		return;
	switch (BPF_CLASS(insn.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		arithmetic(regs, insn);
		break;
	case BPF_LDX:
		load(f, regs, insn);
		break;
	case BPF_ST:
		flow_store(f, moved(regs[insn.dst_reg], insn.off), insn_size(insn),
			   flow_number((uint64_t)(int64_t)insn.imm));
		break;
	case BPF_STX:
		if (BPF_MODE(insn.code) == BPF_ATOMIC)
			atomic(f, regs, insn);
		else
			flow_store(f, moved(regs[insn.dst_reg], insn.off), insn_size(insn),
				   regs[insn.src_reg]);
		break;
	default:
		if (insn_is_ldimm64(insn))
			regs[insn.dst_reg] = loaded(f, i);
		else if (insn_is_call(insn))
			call(f, regs, i);
		else	/* some other call, or a legacy packet load, which behaves like one */
			memset(regs, 0, 6 * sizeof(*regs));
	}
}

/* --- jumps --- */

static bool compare(unsigned int op, uint64_t a, uint64_t b, bool wide)
{
	const int64_t x = wide ? (int64_t)a : (int32_t)a, y = wide ? (int64_t)b : (int32_t)b;

	a = wide ? a : (uint32_t)a;
	b = wide ? b : (uint32_t)b;
	switch (op) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSET: return a & b;
	case BPF_JSGT: return x > y;
	case BPF_JSGE: return x >= y;
	case BPF_JSLT: return x < y;
	}
	return x <= y;
}

int flow_taken(const struct flow_value regs[FLOW_REGS], struct bpf_insn insn)
{
	const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
	struct flow_value a, b;

	if (BPF_OP(insn.code) == BPF_JA)
		return 1;
	if (insn.dst_reg >= FLOW_REGS || insn.src_reg >= FLOW_REGS)
		return -1;
	a = regs[insn.dst_reg];
	b = operand(regs, insn);
	if (BPF_OP(insn.code) == BPF_JCOND || a.low.kind != FLOW_NUMBER ||
	    b.low.kind != FLOW_NUMBER ||
	    (wide && (!flow_is(a, FLOW_NUMBER) || !flow_is(b, FLOW_NUMBER))))
		return -1;
	return compare(BPF_OP(insn.code), flow_get_number(a), flow_get_number(b), wide);
}
