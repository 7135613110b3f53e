/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Assemble small programs: each call adds one or two instructions. */
#ifndef PLOAD_KERNEL_ASSEMBLE_H
#define PLOAD_KERNEL_ASSEMBLE_H

#include <stdint.h>

#include <linux/bpf.h>

#define CODE_MAX 64

/* A program of at most CODE_MAX instructions; any beyond that are dropped. */
struct code {
	struct bpf_insn insns[CODE_MAX];
	unsigned int nr;
};

/*
 * An instruction, from Documentation/bpf/standardization/instruction-set.rst:
 *
 *	0      8         12        16              32                              64
 *	+------+---------+---------+---------------+-------------------------------+
 *	| code | dst_reg | src_reg | off           | imm                           |
 *	+------+---------+---------+---------------+-------------------------------+
 *
 * A 64-bit constant uses a second instruction, whose imm is the upper half and whose other fields
 * are 0.
 */
static inline void code_add(struct code *code, uint8_t op, uint8_t dst, uint8_t src, int16_t off,
			    int32_t imm)
{
	if (code->nr < CODE_MAX)
		code->insns[code->nr++] = (struct bpf_insn){
			.code = op, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm
		};
}

/* dst = src; dst = imm; dst += imm */
static inline void code_move(struct code *code, uint8_t dst, uint8_t src)
{
	code_add(code, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static inline void code_set(struct code *code, uint8_t dst, int32_t imm)
{
	code_add(code, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static inline void code_advance(struct code *code, uint8_t dst, int32_t imm)
{
	code_add(code, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm);
}

/*
 * dst = 64 bits: a number if @pseudo is 0, otherwise the lower half as interpreted by BPF_PSEUDO_*.
 */
static inline void code_set64(struct code *code, uint8_t dst, uint8_t pseudo, uint64_t value)
{
	code_add(code, BPF_LD | BPF_IMM | BPF_DW, dst, pseudo, 0, (int32_t)value);
	code_add(code, 0, 0, 0, 0, (int32_t)(value >> 32));
}

/* dst = *(size *)(src + off); *(size *)(dst + off) = src. @size: BPF_B, BPF_H, BPF_W, BPF_DW. */
static inline void code_load(struct code *code, uint8_t size, uint8_t dst, uint8_t src, int16_t off)
{
	code_add(code, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

static inline void code_store(struct code *code, uint8_t size, uint8_t dst, int16_t off,
			      uint8_t src)
{
	code_add(code, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

/* r0 = helper(r1 ... r5), by number: __BPF_FUNC_MAPPER in include/uapi/linux/bpf.h. */
static inline void code_call(struct code *code, int32_t func)
{
	code_add(code, BPF_JMP | BPF_CALL, 0, 0, 0, func);
}

/* return imm */
static inline void code_return(struct code *code, int32_t imm)
{
	code_set(code, 0, imm);
	code_add(code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

#endif
