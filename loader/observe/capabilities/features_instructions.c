// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries instructions and helpers, each in a small program of its own. */
#include <errno.h>
#include <string.h>

#include "loader/observe/capabilities/capabilities_internal.h"

int feature_close_new(struct sys *sys, int fd)
{
	if (fd < 0)
		return fd;
	sys_close(sys, fd);
	return 0;
}

int feature_load_code(struct sys *sys, const struct code *code, const char *section)
{
	const char *rest;
	const struct prog_kind *kind = prog_kind_find(section, &rest);
	const struct capability_form form = { .kind = kind, .attach_type = kind->attach_type };

	return capability_verify(sys, &form, code, NULL);
}

int feature_load_filter(struct sys *sys, const struct code *code)
{
	return feature_close_new(sys, feature_load_code(sys, code, "socket"));
}

/*
 * One row for each program, without its last two instructions, "r0 = 0; exit". Above each row is
 * the program as the verifier prints it.
 */
static const struct code programs[] = {
	/* call +1; exit; the called function: r0 = 0; exit */
	[CODE_CALL] = { .nr = 2, .insns = {
		{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	} },
	/* r1 = 3; r1 += -1; if r1 != 0 goto -2 */
	[CODE_LOOP] = { .nr = 3, .insns = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 3 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = -1 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = 1, .off = -2 },
	} },
	/* r1 = 3; if w1 != 3 goto +0 */
	[CODE_JMP32] = { .nr = 2, .insns = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 3 },
		{ .code = BPF_JMP32 | BPF_JNE | BPF_K, .dst_reg = 1, .imm = 3 },
	} },
	/* *(u64 *)(r10 - 8) = 1; r1 = 1; r1 = atomic64_xchg((u64 *)(r10 - 8), r1) */
	[CODE_XCHG] = { .nr = 3, .insns = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -8, .imm = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 10, .src_reg = 1, .off = -8,
		  .imm = BPF_XCHG },
	} },
	/* *(u64 *)(r10 - 8) = 1; r1 = load_acquire((u64 *)(r10 - 8)) */
	[CODE_LOAD_ACQUIRE] = { .nr = 2, .insns = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -8, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 1, .src_reg = 10, .off = -8,
		  .imm = BPF_LOAD_ACQ },
	} },
	/* *(u64 *)(r10 - 8) = 1; r1 = *(s32 *)(r10 - 8) */
	[CODE_SIGNED_LOAD] = { .nr = 2, .insns = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = -8, .imm = 1 },
		{ .code = BPF_LDX | BPF_MEMSX | BPF_W, .dst_reg = 1, .src_reg = 10, .off = -8 },
	} },
	/* may_goto +1; goto -2 */
	[CODE_MAY_GOTO] = { .nr = 2, .insns = {
		{ .code = BPF_JMP | BPF_JCOND, .src_reg = BPF_MAY_GOTO, .off = 1 },
		{ .code = BPF_JMP | BPF_JA, .off = -2 },
	} },
};

int feature_try_code(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = programs[feature->arg];

	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

int feature_try_helper(struct sys *sys, const struct capability_feature *feature)
{
	const char *rest;
	const struct capability_form form = { .kind = prog_kind_find("perf_event", &rest) };

	switch (capability_try_helper(sys, &form, feature->arg, NULL)) {
	case CAPABILITY_YES:
		return 0;
	case CAPABILITY_DENIED:
		return -EPERM;
	default:
		return -EINVAL;
	}
}
