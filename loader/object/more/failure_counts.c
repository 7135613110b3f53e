// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the global variables in which programs count what they lose, from their linked code. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

/*
 * After a call that can fail, compiled code looks like this:
 *
 *	call bpf_ringbuf_reserve	r0 is a record, or 0
 *	if r0 != 0 goto A		the paths of success and failure part
 *	r1 = 1
 *	r2 = &dropped
 *	lock *(u64 *)(r2 + 0) += r1	B: reached after a failure only
 *	...
 *   A:	...
 *
 * The instructions are followed for several results at once: lane 0 is the failure, the others
 * are results that must be told from it. Where the lanes part, the failing path begins. A variable
 * that it increments counts this failure if no path from A reaches the same instruction.
 */
#define LANES 3
#define STEPS_MAX 64	/* instructions followed after a call, on all paths together */
#define REACH_MAX 4096	/* instructions that the other path may reach */
#define POINTER 0x10000	/* stands for any address */

struct lanes {
	enum { UNKNOWN, NUMBER, MAP, VARIABLE, LOADED, INCREMENTED } kind;
	/* NUMBER: by lane; VARIABLE and what is loaded from it: v[0] is the offset */
	uint64_t v[LANES];
	uint32_t map;		/* MAP, VARIABLE and what is loaded from it */
};

struct path {
	const struct prog_code *code;
	struct failure_count *found;	/* its failure and map are given */
	struct lanes regs[11];
	bool parted;		/* lane 0 alone is followed */
	unsigned int *steps;	/* left; shared by all paths */
	const bool *reached;	/* once parted: instructions that the other lanes reach */
	int status;		/* 1: found; -ENOMEM */
};

static struct lanes number(uint64_t v)
{
	return (struct lanes){ NUMBER, { v, v, v }, 0 };
}

/* --- the other path --- */

/* Mark what can be executed from @from on. Return false if that is more than REACH_MAX. */
static bool mark_reached(const struct prog_code *code, uint32_t from, bool *reached,
			 unsigned int *left)
{
	for (uint32_t i = from; i < code->nr_insns && !reached[i]; i++) {
		const struct bpf_insn insn = code->insns[i];
		const int64_t to = insn_jump_target(insn, i);
		const bool always = BPF_OP(insn.code) == BPF_JA;

		if (!(*left)--)
			return false;
		reached[i] = true;
		i += insn_is_ldimm64(insn);
		if (insn.code == (BPF_JMP | BPF_EXIT))
			return true;
		if (!insn_is_jump(insn))
			continue;
		if (always && insn.code & BPF_X)	/* by a jump table */
			return false;
		if (to >= 0 && to < code->nr_insns && !mark_reached(code, to, reached, left))
			return false;
		if (always)
			return true;
	}
	return true;
}

/* --- values --- */

static uint64_t arithmetic(unsigned int op, uint64_t a, uint64_t b, bool wide)
{
	const unsigned int shift = b & (wide ? 63 : 31);

	switch (op) {
	case BPF_ADD: a += b; break;
	case BPF_SUB: a -= b; break;
	case BPF_AND: a &= b; break;
	case BPF_OR: a |= b; break;
	case BPF_XOR: a ^= b; break;
	case BPF_LSH: a <<= shift; break;
	case BPF_RSH: a = (wide ? a : (uint32_t)a) >> shift; break;
	case BPF_ARSH: a = wide ? (uint64_t)((int64_t)a >> shift) :
				  (uint32_t)((int32_t)a >> shift); break;
	}
	return wide ? a : (uint32_t)a;
}

static bool is_followed(unsigned int op)
{
	return op == BPF_ADD || op == BPF_SUB || op == BPF_AND || op == BPF_OR || op == BPF_XOR ||
	       op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
}

static struct lanes operand(const struct path *p, struct bpf_insn insn)
{
	if (BPF_SRC(insn.code) == BPF_K)
		return number((uint64_t)(int64_t)insn.imm);
	return insn.src_reg < 11 ? p->regs[insn.src_reg] : (struct lanes){ 0 };
}

static void calculate(struct path *p, struct bpf_insn insn)
{
	const bool wide = BPF_CLASS(insn.code) == BPF_ALU64;
	const unsigned int op = BPF_OP(insn.code);
	struct lanes *to = &p->regs[insn.dst_reg], by = operand(p, insn);

	if (op == BPF_MOV && insn.off) {	/* movsx */
		to->kind = UNKNOWN;
	} else if (op == BPF_MOV) {
		*to = by;
		for (int i = 0; by.kind == NUMBER && !wide && i < LANES; i++)
			to->v[i] = (uint32_t)by.v[i];
	} else if (to->kind == NUMBER && by.kind == NUMBER && is_followed(op)) {
		for (int i = 0; i < LANES; i++)
			to->v[i] = arithmetic(op, to->v[i], by.v[i], wide);
	} else if (op == BPF_ADD && to->kind == VARIABLE && by.kind == NUMBER && wide) {
		to->v[0] += by.v[0];
	} else if (op == BPF_ADD && to->kind == LOADED && by.kind == NUMBER && by.v[0] == 1) {
		to->kind = INCREMENTED;
	} else {
		to->kind = UNKNOWN;
	}
}

static void load_address(struct path *p, uint32_t i)
{
	const struct bpf_insn insn = p->code->insns[i];
	const uint64_t upper = (uint32_t)p->code->insns[i + 1].imm;
	struct lanes *to = &p->regs[insn.dst_reg];

	if (insn.src_reg == BPF_PSEUDO_MAP_VALUE)
		*to = (struct lanes){ VARIABLE, { upper }, prog_code_map(p->code, i) };
	else if (insn.src_reg == BPF_PSEUDO_MAP_FD)
		*to = (struct lanes){ MAP, { 0 }, prog_code_map(p->code, i) };
	else if (insn.src_reg)
		to->kind = UNKNOWN;
	else
		*to = number(upper << 32 | (uint32_t)insn.imm);
	if (to->kind != NUMBER && to->map == UINT32_MAX)
		to->kind = UNKNOWN;
}

static unsigned int bytes_of(struct bpf_insn insn)
{
	switch (BPF_SIZE(insn.code)) {
	case BPF_DW:
		return 8;
	case BPF_W:
		return 4;
	}
	return 0;
}

static void load(struct path *p, struct bpf_insn insn)
{
	const struct lanes from = insn.src_reg < 11 ? p->regs[insn.src_reg] : (struct lanes){ 0 };
	struct lanes *to = &p->regs[insn.dst_reg];

	*to = (struct lanes){ LOADED, { from.v[0] + insn.off }, from.map };
	if (from.kind != VARIABLE || BPF_MODE(insn.code) != BPF_MEM || !bytes_of(insn))
		to->kind = UNKNOWN;
}

/* A store to a variable: "+= 1", as an atomic operation or as a load, an addition and a store. */
static void store(struct path *p, uint32_t i)
{
	const struct bpf_insn insn = p->code->insns[i];
	const struct lanes to = p->regs[insn.dst_reg];
	const struct lanes from = insn.src_reg < 11 ? p->regs[insn.src_reg] : (struct lanes){ 0 };
	const bool atomic = BPF_MODE(insn.code) == BPF_ATOMIC;
	const uint64_t offset = to.v[0] + insn.off;
	bool adds = false;

	if (atomic && (insn.imm & ~BPF_FETCH) == BPF_ADD)
		adds = from.kind == NUMBER && from.v[0] == 1;
	else if (!atomic)
		adds = from.kind == INCREMENTED && from.map == to.map && from.v[0] == offset;
	if (adds && to.kind == VARIABLE && bytes_of(insn) && p->parted && !p->reached[i]) {
		p->found->data = to.map;
		p->found->offset = offset;
		p->found->size = bytes_of(insn);
		p->status = 1;
	}
	if (atomic && insn.imm == BPF_LOAD_ACQ)
		p->regs[insn.dst_reg].kind = UNKNOWN;
	if (atomic && insn.imm & BPF_FETCH && insn.src_reg < 11)
		p->regs[insn.src_reg].kind = UNKNOWN;
	if (atomic && insn.imm == BPF_CMPXCHG)
		p->regs[0].kind = UNKNOWN;
}

/* A lookup after an update that failed since the map was full finds nothing. */
static void call_helper(struct path *p, struct bpf_insn insn)
{
	const bool same = p->regs[1].kind == MAP && p->regs[1].map == p->found->map;

	for (int i = 0; i <= 5; i++)
		p->regs[i].kind = UNKNOWN;
	if (!insn.src_reg && insn.imm == BPF_FUNC_map_lookup_elem && same &&
	    p->found->failure == FAILURE_FULL && !p->parted)
		p->regs[0] = (struct lanes){ NUMBER, { 0, POINTER, POINTER }, 0 };
}

/* --- branches --- */

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

static void follow(struct path p, uint32_t i, struct path *from);

/* Lane 0 goes to @failed, all others go to @other. */
static void part(struct path *p, uint32_t failed, uint32_t other)
{
	bool *reached = calloc(p->code->nr_insns, sizeof(*reached));
	unsigned int left = REACH_MAX;
	struct path only = *p;

	if (!reached) {
		p->status = -ENOMEM;
		return;
	}
	only.parted = true;
	only.reached = reached;
	if (mark_reached(p->code, other, reached, &left))
		follow(only, failed, p);
	free(reached);
}

/* Follow both paths of a branch, or one of them if its condition is known in all lanes. */
static void branch(struct path *p, uint32_t i)
{
	const struct bpf_insn insn = p->code->insns[i];
	const bool wide = BPF_CLASS(insn.code) == BPF_JMP;
	const uint32_t next = i + 1, to = insn_jump_target(insn, i);
	const struct lanes a = p->regs[insn.dst_reg], b = operand(p, insn);
	bool taken[LANES];

	if (a.kind != NUMBER || b.kind != NUMBER || BPF_OP(insn.code) == BPF_JCOND) {
		follow(*p, next, p);
		if (!p->status)
			follow(*p, to, p);
		return;
	}
	for (int k = 0; k < LANES; k++)
		taken[k] = compare(BPF_OP(insn.code), a.v[k], b.v[k], wide);
	if (p->parted || (taken[0] == taken[1] && taken[1] == taken[2]))
		follow(*p, taken[0] ? to : next, p);
	else if (taken[0] != taken[1] && taken[1] == taken[2])
		part(p, taken[0] ? to : next, taken[0] ? next : to);
}

/* Follow the instructions from @i on, until a variable is found or the path ends. */
static void follow(struct path p, uint32_t i, struct path *from)
{
	for (; !p.status && i < p.code->nr_insns && *p.steps; i++) {
		const struct bpf_insn insn = p.code->insns[i];
		const unsigned int class = BPF_CLASS(insn.code), op = BPF_OP(insn.code);

		--*p.steps;
		if (insn.dst_reg > 10)
			break;
		if (class == BPF_ALU || class == BPF_ALU64) {
			calculate(&p, insn);
		} else if (insn_is_ldimm64(insn) && i + 1 < p.code->nr_insns) {
			load_address(&p, i++);
		} else if (class == BPF_LDX) {
			load(&p, insn);
		} else if (class == BPF_STX) {
			store(&p, i);
		} else if (insn_is_call(insn)) {
			call_helper(&p, insn);
		} else if (class == BPF_ST) {
			continue;
		} else if (op == BPF_JA && !(insn.code & BPF_X)) {
			i = insn_jump_target(insn, i) - 1;
		} else if (op == BPF_JA || op == BPF_EXIT || class == BPF_LD) {
			break;
		} else {
			branch(&p, i);
			break;
		}
	}
	from->status = p.status;
}

/* Compilers keep a 1 or an address in a register that a call does not overwrite. */
static struct lanes known_before(struct reg_value reg)
{
	switch (reg.kind) {
	case VALUE_CONST:
		return number(reg.v);
	case VALUE_MAP:
		return (struct lanes){ MAP, { 0 }, reg.map };
	case VALUE_VARIABLE:
		return (struct lanes){ VARIABLE, { reg.v }, reg.map };
	case VALUE_UNKNOWN:
		break;
	}
	return (struct lanes){ 0 };
}

/* Find the variable that counts the failures of the call at @insn; @found->data: none is found. */
static int find(const struct prog_code *code, uint32_t insn, const struct reg_value regs[11],
		struct failure_count *found, struct error *err)
{
	/* The failure, then results that are none. */
	static const struct lanes results[] = {
		[FAILURE_RESERVE] = { NUMBER, { 0, POINTER, POINTER }, 0 },
		[FAILURE_OUTPUT] = { NUMBER, { -EAGAIN, 0, 0 }, 0 },
		[FAILURE_FULL] = { NUMBER, { -E2BIG, 0, -EEXIST }, 0 },
		[FAILURE_COLLISION] = { NUMBER, { -EEXIST, 1, -EFAULT }, 0 },
	};
	unsigned int steps = STEPS_MAX;
	const bool any = regs[4].kind == VALUE_CONST && regs[4].v == BPF_ANY;
	struct path p = { .code = code, .found = found, .steps = &steps }, after;

	for (int i = 6; i <= 9; i++)
		p.regs[i] = known_before(regs[i]);
	p.regs[0] = results[found->failure];
	if (found->failure == FAILURE_FULL && any)	/* which never fails since it exists */
		p.regs[0].v[2] = 0;
	after = p;
	follow(p, insn + 1, &after);
	return after.status < 0 ? error_set(err, ENOMEM, "no memory to look at %u instructions",
					    code->nr_insns) : 0;
}

static bool equal(const struct failure_count *a, const struct failure_count *b)
{
	return a->failure == b->failure && a->map == b->map && a->data == b->data &&
	       a->offset == b->offset;
}

int failure_counts_add(struct failure_counts *counts, const struct prog_code *code, uint32_t insn,
		       enum map_failure failure, uint32_t map, const struct reg_value regs[11],
		       struct error *err)
{
	struct failure_count found = { failure, map, UINT32_MAX, 0, 0 }, *list;
	int ret = find(code, insn, regs, &found, err);

	for (uint32_t i = 0; !ret && i < counts->nr; i++)
		if (equal(&counts->list[i], &found))
			return 0;
	if (ret)
		return ret;
	list = reallocarray(counts->list, counts->nr + 1, sizeof(*list));
	if (!list)
		return error_set(err, ENOMEM, "no memory for %u counters", counts->nr + 1);
	counts->list = list;
	list[counts->nr++] = found;
	return 0;
}
