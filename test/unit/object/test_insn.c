// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of the functions that read an instruction, in both byte orders. */
#include <check.h>

#include "loader/core/object/parse.h"
#include "test/unit/common/suite.h"

/* *(u64 *)(r1 - 2) = r2 with a constant that has a sign, too; another instruction is before it. */
static const unsigned char little[16] = {
	[8] = 0x7b, 0x21, 0xfe, 0xff, 0xfd, 0xff, 0xff, 0xff,
};
static const unsigned char big[16] = {
	[8] = 0x7b, 0x12, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xfd,
};

TEST_EACH(an_instruction_is_read, 2)
{
	struct elf_section section = { .data = { _i ? big : little, sizeof(little) } };
	const struct elf_image image = {
		.big_endian = _i, .sections = &section, .nr_sections = 1,
		.swap = _i != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
	};
	const struct bpf_insn insn = insn_get(&image, 0, 1);

	ck_assert_uint_eq(insn.code, BPF_STX | BPF_MEM | BPF_DW);
	ck_assert_uint_eq(insn.dst_reg, 1);
	ck_assert_uint_eq(insn.src_reg, 2);
	ck_assert_int_eq(insn.off, -2);
	ck_assert_int_eq(insn.imm, -3);
	ck_assert_uint_eq(insn_opcode(&image, 0, 1), insn.code);
	ck_assert_uint_eq(insn_src(&image, 0, 1), insn.src_reg);
	ck_assert_uint_eq(insn_get(&image, 0, 0).code, 0);
}
