// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Instructions as text: a row for each form that the verifier's log has, then every code there is. */
#include <string.h>

#include "elf/insn/insn_text.h"
#include "test/unit/common/insns.h"
#include "test/unit/common/suite.h"


static const struct {
	struct bpf_insn insn[2];
	const char *text;
} rows[] = {
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, -1) }, "r1 = -1" },
	{ { OP(BPF_ALU | BPF_MOV | BPF_K, 1, 0, 0, 7) }, "w1 = 7" },
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_X, 6, 0, 0, 0) }, "r6 = r0" },
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 8, 0) }, "r6 = (s8)r1" },
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 32, 0) }, "r6 = (s32)r1" },
	{ { OP(BPF_ALU | BPF_MOV | BPF_X, 6, 1, 16, 0) }, "w6 = (s16)w1" },
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_X, 2, 3, 1, 1 << 16) }, "r2 = addr_space_cast(r3, 1, 0)" },
	{ { OP(BPF_ALU64 | BPF_MOV | BPF_X, 2, 3, -1, 0) }, "r2 = &(void __percpu *)(r3)" },
	{ { OP(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -8) }, "r2 += -8" },
	{ { OP(BPF_ALU64 | BPF_DIV | BPF_X, 2, 3, 0, 0) }, "r2 /= r3" },
	{ { OP(BPF_ALU64 | BPF_DIV | BPF_X, 2, 3, 1, 0) }, "r2 s/= r3" },
	{ { OP(BPF_ALU | BPF_MOD | BPF_K, 2, 0, 1, 5) }, "w2 s%= 5" },
	{ { OP(BPF_ALU64 | BPF_ARSH | BPF_K, 2, 0, 0, 3) }, "r2 s>>= 3" },
	{ { OP(BPF_ALU | BPF_NEG, 2, 0, 0, 0) }, "w2 = -w2" },
	{ { OP(BPF_ALU | BPF_END | BPF_TO_BE, 2, 0, 0, 16) }, "r2 = be16 r2" },
	{ { OP(BPF_ALU | BPF_END | BPF_TO_LE, 2, 0, 0, 64) }, "r2 = le64 r2" },
	{ { OP(BPF_ALU64 | BPF_END, 2, 0, 0, 32) }, "r2 = bswap32 r2" },
	{ { OP(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, 5), OP(0, 0, 0, 0, 1) }, "r1 = 0x100000005" },
	{ { OP(BPF_LD | BPF_ABS | BPF_H, 0, 0, 0, 12) }, "r0 = *(u16 *)skb[12]" },
	{ { OP(BPF_LD | BPF_IND | BPF_B, 0, 3, 0, 14) }, "r0 = *(u8 *)skb[r3 + 14]" },
	{ { OP(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0) }, "r1 = *(u64 *)(r10 -8)" },
	{ { OP(BPF_LDX | BPF_MEMSX | BPF_W, 1, 2, 4, 0) }, "r1 = *(s32 *)(r2 +4)" },
	{ { OP(BPF_STX | BPF_MEM | BPF_B, 1, 2, 0, 0) }, "*(u8 *)(r1 +0) = r2" },
	{ { OP(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, -1) }, "*(u32 *)(r10 -4) = -1" },
	{ { OP(BPF_ST | 0xc0, 0, 0, 0, 0) }, "nospec" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD) }, "lock *(u64 *)(r0 +0) += r1" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_W, 0, 1, 0, BPF_XOR) }, "lock *(u32 *)(r0 +0) ^= r1" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 8, BPF_ADD | BPF_FETCH) },
	  "r1 = atomic64_fetch_add((u64 *)(r0 +8), r1)" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_W, 0, 1, 8, BPF_OR | BPF_FETCH) },
	  "r1 = atomic_fetch_or((u32 *)(r0 +8), r1)" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_DW, 3, 1, 0, BPF_XCHG) },
	  "r1 = atomic64_xchg((u64 *)(r3 +0), r1)" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_W, 3, 1, 0, BPF_CMPXCHG) },
	  "r0 = atomic_cmpxchg((u32 *)(r3 +0), r0, r1)" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_DW, 3, 1, 0, BPF_LOAD_ACQ) },
	  "r3 = load_acquire((u64 *)(r1 +0))" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_B, 3, 1, 0, BPF_STORE_REL) },
	  "store_release((u8 *)(r3 +0), r1)" },
	{ { OP(BPF_STX | BPF_ATOMIC | BPF_DW, 3, 1, 0, BPF_MUL) }, "BUG_atomic_db" },
	{ { OP(BPF_JMP | BPF_JA, 0, 0, 12, 0) }, "goto pc+12" },
	{ { OP(BPF_JMP32 | BPF_JA, 0, 0, 0, -70000) }, "gotol pc-70000" },
	{ { OP(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0) }, "gotox r1" },
	{ { OP(BPF_JMP | BPF_JCOND, 0, 0, -3, 0) }, "may_goto pc-3" },
	{ { OP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0) }, "if r0 == 0x0 goto pc+1" },
	{ { OP(BPF_JMP32 | BPF_JSLT | BPF_K, 3, 0, -2, -1) }, "if w3 s< 0xffffffff goto pc-2" },
	{ { OP(BPF_JMP | BPF_JSET | BPF_X, 3, 4, 2, 0) }, "if r3 & r4 goto pc+2" },
	{ { OP(BPF_JMP | BPF_CALL, 0, 0, 0, 1) }, "call bpf_map_lookup_elem#1" },
	{ { OP(BPF_JMP | BPF_CALL, 0, 0, 0, 9999) }, "call unknown#9999" },
	{ { OP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -7) }, "call pc-7" },
	{ { OP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, 42) }, "call kernel-function#42" },
	{ { OP(BPF_JMP | BPF_CALL | BPF_X, 3, 0, 0, 0) }, "callx r3" },
	{ { OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0) }, "exit" },
	{ { OP(BPF_ALU | 0xe0, 0, 0, 0, 0) }, "BUG_e4" },
	{ { OP(BPF_LDX | BPF_ABS, 0, 0, 0, 0) }, "BUG_21" },
};

TEST_ROWS(forms, rows)
{
	char text[INSN_TEXT_MAX];
	const size_t n = insn_text(text, rows[_i].insn, 2);

	ck_assert_str_eq(text, rows[_i].text);
	ck_assert_uint_eq(n, strlen(text));
}
END_TEST

/* Each code with its largest numbers fits, and so does half of an ldimm64 at the end of a section. */
TEST_EACH(codes, 256)
{
	const struct bpf_insn insn = OP(_i, 15, 15, INT16_MIN, INT32_MIN);
	char text[INSN_TEXT_MAX];
	size_t n = insn_text(text, &insn, 1);

	ck_assert_uint_eq(n, strlen(text));
	ck_assert_uint_lt(n, 64);
}
END_TEST

/* Each helper that has a number has a name, and its call fits. */
TEST(helpers)
{
	char text[INSN_TEXT_MAX];

	ck_assert_ptr_null(helper_name(0));
	ck_assert_ptr_null(helper_name(nr_helpers));
	for (uint32_t i = 1; i < nr_helpers; i++) {
		const struct bpf_insn insn = OP(BPF_JMP | BPF_CALL, 0, 0, 0, i);

		ck_assert_uint_eq(strncmp(helper_name(i), "bpf_", 4), 0);
		ck_assert_uint_eq(insn_text(text, &insn, 1), strlen(text));
		ck_assert(strstr(text, helper_name(i)));
	}
}
END_TEST
