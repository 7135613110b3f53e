// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A stand-in for a refused program, to find out what the kernel refuses. */
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/refused.h"

int kernel_load_trial(struct sys *sys, uint32_t prog_type, uint32_t attach_type,
		      uint32_t prog_flags)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = prog_type;
	attr.expected_attach_type = attach_type;
	attr.insns = attr_pointer(insns);
	attr.insn_cnt = 2;
	attr.license = attr_pointer("GPL");
	attr.prog_flags = prog_flags;
	sys_why(sys, "diagnosis: an empty program");
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(expected_attach_type));
}
