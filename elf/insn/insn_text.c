// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Format an instruction as the verifier's log does: print_bpf_insn() of kernel/bpf/disasm.c.
 *
 *	code, 8 bits
 *	ALU, ALU64, JMP, JMP32		LD, LDX, ST, STX
 *	7      4   3    2     0		7    5  4  3   2     0
 *	+-------+-----+-------+		+------+------+-------+
 *	|  op   | src | class |		| mode | size | class |
 *	+-------+-----+-------+		+------+------+-------+
 *	src: K, the number imm, or X, a register
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include <linux/bpf.h>
#include <linux/bpf_helper_abi.h>

#include "elf/flow/insn.h"
#include "elf/insn/insn_text.h"

/* Kernel-internal: nospec, and the address of a per-CPU variable. */
#define MODE_NOSPEC	0xc0
#define MOV_PERCPU	(-1)

#define CAST_ARENA	1	/* off of a move: Linux 6.9 */

struct text {
	char *to;
	int length;
};

static void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(t->to + t->length, INSN_TEXT_MAX - t->length, fmt, args);
	va_end(args);
	t->length += n;
	if (t->length >= INSN_TEXT_MAX)
		t->length = INSN_TEXT_MAX - 1;
}

static const char *const alu_ops[16] = {
	[BPF_ADD >> 4] = "+=", [BPF_SUB >> 4] = "-=", [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=", [BPF_OR >> 4] = "|=", [BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=", [BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=", [BPF_MOV >> 4] = "=", [BPF_ARSH >> 4] = "s>>=",
};

static const char *const jump_ops[16] = {
	[BPF_JEQ >> 4] = "==", [BPF_JGT >> 4] = ">", [BPF_JGE >> 4] = ">=",
	[BPF_JSET >> 4] = "&", [BPF_JNE >> 4] = "!=", [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=", [BPF_JLT >> 4] = "<", [BPF_JLE >> 4] = "<=",
	[BPF_JSLT >> 4] = "s<", [BPF_JSLE >> 4] = "s<=",
};

/* The type that a load or a store accesses, by size; signed with BPF_MEMSX. */
static const char *const types[4] = { "u32", "u16", "u8", "u64" };
static const char *const signed_types[4] = { "s32", "s16", "s8", "s64" };

static const char *type_of(struct bpf_insn insn)
{
	return types[BPF_SIZE(insn.code) >> 3];
}

static void unknown(struct text *t, struct bpf_insn insn)
{
	put(t, "BUG_%02x", insn.code);
}

/* --- arithmetic --- */

/* Moves that do more than copy, selected by off. Return true if @insn is one. */
static bool put_move(struct text *t, struct bpf_insn insn)
{
	const char r = BPF_CLASS(insn.code) == BPF_ALU ? 'w' : 'r';

	if (BPF_OP(insn.code) != BPF_MOV)
		return false;
	if (insn.off == 8 || insn.off == 16 || insn.off == 32)
		put(t, "%c%d = (s%d)%c%d", r, insn.dst_reg, insn.off, r, insn.src_reg);
	else if (insn.off == CAST_ARENA)
		put(t, "r%d = addr_space_cast(r%d, %u, %u)", insn.dst_reg, insn.src_reg,
		    (uint32_t)insn.imm >> 16, (uint16_t)insn.imm);
	else if (insn.off == MOV_PERCPU)
		put(t, "r%d = &(void __percpu *)(r%d)", insn.dst_reg, insn.src_reg);
	else
		return false;
	return true;
}

static void put_alu(struct text *t, struct bpf_insn insn)
{
	const char r = BPF_CLASS(insn.code) == BPF_ALU ? 'w' : 'r';
	const uint8_t op = BPF_OP(insn.code);
	const bool has_sign = insn.off == 1 && (op == BPF_DIV || op == BPF_MOD);

	if (op == BPF_END)
		put(t, "r%d = %s%d r%d", insn.dst_reg,
		    BPF_CLASS(insn.code) == BPF_ALU64 ? "bswap" :
		    BPF_SRC(insn.code) == BPF_TO_BE   ? "be" : "le", insn.imm, insn.dst_reg);
	else if (op == BPF_NEG)
		put(t, "%c%d = -%c%d", r, insn.dst_reg, r, insn.dst_reg);
	else if (!alu_ops[op >> 4])
		unknown(t, insn);
	else if (BPF_SRC(insn.code) == BPF_K)
		put(t, "%c%d %s%s %d", r, insn.dst_reg, has_sign ? "s" : "", alu_ops[op >> 4],
		    insn.imm);
	else if (!put_move(t, insn))
		put(t, "%c%d %s%s %c%d", r, insn.dst_reg, has_sign ? "s" : "", alu_ops[op >> 4], r,
		    insn.src_reg);
}

/* --- memory --- */

/*
 * Atomic operations: imm is the operation of ALU, with BPF_FETCH if it returns the old value, or an
 * operation of its own.
 */
static void put_atomic(struct text *t, struct bpf_insn insn)
{
	static const char *const names[16] = {
		[BPF_ADD >> 4] = "add", [BPF_AND >> 4] = "and", [BPF_OR >> 4] = "or",
		[BPF_XOR >> 4] = "xor",
	};
	const char *type = type_of(insn), *bits = BPF_SIZE(insn.code) == BPF_DW ? "64" : "";
	const uint32_t op = (uint32_t)insn.imm & ~BPF_FETCH;
	const char *name = op < 0x100 && !(op & 0xf) ? names[op >> 4] : NULL;

	if (name && insn.imm & BPF_FETCH)
		put(t, "r%d = atomic%s_fetch_%s((%s *)(r%d %+d), r%d)", insn.src_reg, bits, name,
		    type, insn.dst_reg, insn.off, insn.src_reg);
	else if (name)
		put(t, "lock *(%s *)(r%d %+d) %s r%d", type, insn.dst_reg, insn.off,
		    alu_ops[op >> 4], insn.src_reg);
	else if (insn.imm == BPF_CMPXCHG)
		put(t, "r0 = atomic%s_cmpxchg((%s *)(r%d %+d), r0, r%d)", bits, type, insn.dst_reg,
		    insn.off, insn.src_reg);
	else if (insn.imm == BPF_XCHG)
		put(t, "r%d = atomic%s_xchg((%s *)(r%d %+d), r%d)", insn.src_reg, bits, type,
		    insn.dst_reg, insn.off, insn.src_reg);
	else if (insn.imm == BPF_LOAD_ACQ)
		put(t, "r%d = load_acquire((%s *)(r%d %+d))", insn.dst_reg, type, insn.src_reg,
		    insn.off);
	else if (insn.imm == BPF_STORE_REL)
		put(t, "store_release((%s *)(r%d %+d), r%d)", type, insn.dst_reg, insn.off,
		    insn.src_reg);
	else
		put(t, "BUG_atomic_%02x", insn.code);
}

static void put_store(struct text *t, struct bpf_insn insn)
{
	const uint8_t mode = BPF_MODE(insn.code);

	if (mode == BPF_MEM && BPF_CLASS(insn.code) == BPF_STX)
		put(t, "*(%s *)(r%d %+d) = r%d", type_of(insn), insn.dst_reg, insn.off,
		    insn.src_reg);
	else if (mode == BPF_MEM)
		put(t, "*(%s *)(r%d %+d) = %d", type_of(insn), insn.dst_reg, insn.off, insn.imm);
	else if (mode == BPF_ATOMIC && BPF_CLASS(insn.code) == BPF_STX)
		put_atomic(t, insn);
	else if (mode == MODE_NOSPEC && BPF_CLASS(insn.code) == BPF_ST)
		put(t, "nospec");
	else
		unknown(t, insn);
}

static void put_load(struct text *t, struct bpf_insn insn)
{
	const uint8_t mode = BPF_MODE(insn.code);

	if (mode != BPF_MEM && mode != BPF_MEMSX)
		unknown(t, insn);
	else
		put(t, "r%d = *(%s *)(r%d %+d)", insn.dst_reg,
		    mode == BPF_MEM ? type_of(insn) : signed_types[BPF_SIZE(insn.code) >> 3],
		    insn.src_reg, insn.off);
}

/* BPF_LD: classic BPF packet loads, and ldimm64. */
static void put_old_load(struct text *t, const struct bpf_insn *insn, size_t room)
{
	uint64_t imm = (uint32_t)insn->imm;

	if (BPF_MODE(insn->code) == BPF_ABS) {
		put(t, "r0 = *(%s *)skb[%d]", type_of(*insn), insn->imm);
	} else if (BPF_MODE(insn->code) == BPF_IND) {
		put(t, "r0 = *(%s *)skb[r%d + %d]", type_of(*insn), insn->src_reg, insn->imm);
	} else if (insn_is_ldimm64(*insn)) {
		imm |= room > 1 ? (uint64_t)(uint32_t)insn[1].imm << 32 : 0;
		put(t, "r%d = 0x%" PRIx64, insn->dst_reg, imm);
	} else {
		unknown(t, *insn);
	}
}

/* --- jumps --- */

#define NAME(name, number) [number] = "bpf_" #name,
static const char *const helpers[] = { ___BPF_FUNC_MAPPER(NAME) };

const uint32_t nr_helpers = sizeof(helpers) / sizeof(helpers[0]);

const char *helper_name(uint32_t func)
{
	return func && func < nr_helpers ? helpers[func] : NULL;
}

static void put_call(struct text *t, struct bpf_insn insn)
{
	const char *name = insn.src_reg ? NULL : helper_name(insn.imm);

	if (BPF_SRC(insn.code) == BPF_X)
		put(t, "callx r%d", insn.dst_reg);
	else if (insn.src_reg == BPF_PSEUDO_CALL)
		put(t, "call pc%+d", insn.imm);
	else if (insn.src_reg == BPF_PSEUDO_KFUNC_CALL)
		put(t, "call kernel-function#%d", insn.imm);
	else
		put(t, "call %s#%d", name ? name : "unknown", insn.imm);
}

static void put_jump(struct text *t, struct bpf_insn insn)
{
	const uint8_t op = BPF_OP(insn.code);
	const bool wide = BPF_CLASS(insn.code) == BPF_JMP;

	if (op == BPF_CALL && wide)
		put_call(t, insn);
	else if (op == BPF_EXIT && wide)
		put(t, "exit");
	else if (op == BPF_JA && wide && BPF_SRC(insn.code) == BPF_X)
		put(t, "gotox r%d", insn.dst_reg);
	else if (op == BPF_JA && wide)
		put(t, "goto pc%+d", insn.off);
	else if (op == BPF_JA)
		put(t, "gotol pc%+d", insn.imm);
	else if (op == BPF_JCOND && wide && BPF_SRC(insn.code) == BPF_K)
		put(t, "may_goto pc%+d", insn.off);
	else if (!jump_ops[op >> 4])
		unknown(t, insn);
	else if (BPF_SRC(insn.code) == BPF_X)
		put(t, "if %c%d %s %c%d goto pc%+d", wide ? 'r' : 'w', insn.dst_reg,
		    jump_ops[op >> 4], wide ? 'r' : 'w', insn.src_reg, insn.off);
	else
		put(t, "if %c%d %s 0x%x goto pc%+d", wide ? 'r' : 'w', insn.dst_reg,
		    jump_ops[op >> 4], (uint32_t)insn.imm, insn.off);
}

size_t insn_text(char to[INSN_TEXT_MAX], const struct bpf_insn *insn, size_t room)
{
	struct text t = { .to = to };

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		put_alu(&t, *insn);
		break;
	case BPF_LD:
		put_old_load(&t, insn, room);
		break;
	case BPF_LDX:
		put_load(&t, *insn);
		break;
	case BPF_ST:
	case BPF_STX:
		put_store(&t, *insn);
		break;
	default:
		put_jump(&t, *insn);
	}
	return t.length;
}
