/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions as the rows of tables write them: the register that is written first, as in asm. */
#ifndef PLOAD_TEST_UNIT_INSNS_H
#define PLOAD_TEST_UNIT_INSNS_H

#include <linux/bpf.h>

#define OP(c, to, from, o, v) \
	{ .code = (c), .dst_reg = to, .src_reg = from, .off = o, .imm = v }
#define MOV(to, from) OP(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define MOV32(to, from) OP(BPF_ALU | BPF_MOV | BPF_X, to, from, 0, 0)
#define MOVI(to, v) ALU(BPF_MOV, to, v)
#define MOVI32(to, v) ALU32(BPF_MOV, to, v)
#define ADDI(to, v) ALU(BPF_ADD, to, v)
#define ADDX(to, from) OP(BPF_ALU64 | BPF_ADD | BPF_X, to, from, 0, 0)
#define ALU(op, to, v) OP(BPF_ALU64 | (op) | BPF_K, to, 0, 0, v)
#define ALU32(op, to, v) OP(BPF_ALU | (op) | BPF_K, to, 0, 0, v)
#define LD64(to, src, low, high) OP(BPF_LD | BPF_IMM | BPF_DW, to, src, 0, low), { .imm = high }
#define MAP(to, map) LD64(to, BPF_PSEUDO_MAP_FD, map, 0)
#define FUNC(to, d) LD64(to, BPF_PSEUDO_FUNC, d, 0)
#define LOAD(size, to, from, o) OP(BPF_LDX | BPF_MEM | (size), to, from, o, 0)
#define STORE(size, to, o, from) OP(BPF_STX | BPF_MEM | (size), to, from, o, 0)
#define STOREI(size, to, o, v) OP(BPF_ST | BPF_MEM | (size), to, 0, o, v)
#define ATOMIC(size, to, o, from, op) OP(BPF_STX | BPF_ATOMIC | (size), to, from, o, op)
#define JMP(op, r, v, d) OP(BPF_JMP | (op) | BPF_K, r, 0, d, v)
#define JMP32(op, r, v, d) OP(BPF_JMP32 | (op) | BPF_K, r, 0, d, v)
#define JEQ(r, d) JMP(BPF_JEQ, r, 0, d)
#define JA(d) OP(BPF_JMP | BPF_JA, 0, 0, d, 0)
#define CALL(name) OP(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##name)
#define SUB(d) OP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, d)
#define EXIT OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#endif
