/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The instructions of BPF, as linux/bpf.h has them:
 *
 *	code	what it does: class, then operation and source, or size and mode
 *	dst_reg, src_reg	4 bits each; r10 is the end of the stack
 *	off	16 bits: of an address, or the distance of a jump, counted from the next instruction
 *	imm	32 bits: a number, a helper, or the distance of a call
 *
 * ldimm64 occupies two instructions: the second imm is the upper half of the number.
 */
#ifndef PLOAD_ELF_FLOW_INSN_H
#define PLOAD_ELF_FLOW_INSN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool insn_is_ldimm64(struct bpf_insn insn)
{
	return insn.code == (BPF_LD | BPF_IMM | BPF_DW);
}

static inline bool insn_is_call(struct bpf_insn insn)
{
	return insn.code == (BPF_JMP | BPF_CALL);
}

/* insn_is_jump() - Return true for jumps, conditional or not, but not for calls and exits. */
static inline bool insn_is_jump(struct bpf_insn insn)
{
	const unsigned int class = BPF_CLASS(insn.code), op = BPF_OP(insn.code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
}

/* insn_jump_target() - Return the target of jump @i, which may be outside the program. */
static inline int64_t insn_jump_target(struct bpf_insn insn, uint32_t i)
{
	const bool far = insn.code == (BPF_JMP32 | BPF_JA);	/* gotol: imm is the distance */

	return (int64_t)i + 1 + (far ? insn.imm : insn.off);
}

/* insn_has_func() - Return true if imm is the distance to a function: a call, or its address. */
static inline bool insn_has_func(struct bpf_insn insn)
{
	return (insn_is_call(insn) && insn.src_reg == BPF_PSEUDO_CALL) ||
	       (insn_is_ldimm64(insn) && insn.src_reg == BPF_PSEUDO_FUNC);
}

/* insn_size() - Return the number of bytes that a load or store accesses. */
static inline uint32_t insn_size(struct bpf_insn insn)
{
	static const uint8_t sizes[] = { [BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1,
					 [BPF_DW >> 3] = 8 };

	return sizes[BPF_SIZE(insn.code) >> 3];
}

#endif
