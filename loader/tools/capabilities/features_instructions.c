// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Instructions and helpers, each tried in a program of its own. */
#include <errno.h>

#include "loader/tools/capabilities/features.h"
#include "loader/tools/capabilities/features_internal.h"

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

/* A function that calls another: BPF_PSEUDO_CALL. */
int feature_try_call(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	(void)feature;
	code_add(&code, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1);
	code_add(&code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

/* for (r1 = 3; r1; r1--) ; */
int feature_try_loop(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	(void)feature;
	code_set(&code, 1, 3);
	code_advance(&code, 1, -1);
	code_add(&code, BPF_JMP | BPF_JNE | BPF_K, 1, 0, -2, 0);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

/* 32-bit comparisons: -mcpu=v3. */
int feature_try_jmp32(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	(void)feature;
	code_set(&code, 1, 3);
	code_add(&code, BPF_JMP32 | BPF_JNE | BPF_K, 1, 0, 0, 3);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

/* An instruction on 8 bytes of the stack: an atomic one whose immediate is feature->arg. */
int feature_try_atomic(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	code_add(&code, BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 1);
	code_set(&code, 0, 1);
	code_set(&code, 1, 1);
	if (feature->arg == BPF_LOAD_ACQ)
		code_add(&code, BPF_STX | BPF_ATOMIC | BPF_DW, 1, 10, -8, (int32_t)feature->arg);
	else
		code_add(&code, BPF_STX | BPF_ATOMIC | BPF_DW, 10, 1, -8, (int32_t)feature->arg);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

/* A load that keeps the sign, from -mcpu=v4. */
int feature_try_signed_load(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	(void)feature;
	code_add(&code, BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 1);
	code_add(&code, BPF_LDX | BPF_MEMSX | BPF_W, 1, 10, -8, 0);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

int feature_try_may_goto(struct sys *sys, const struct capability_feature *feature)
{
	struct code code = { 0 };

	(void)feature;
	code_add(&code, BPF_JMP | BPF_JCOND, 0, BPF_MAY_GOTO, 1, 0);
	code_add(&code, BPF_JMP | BPF_JA, 0, 0, -2, 0);
	code_return(&code, 0);
	return feature_load_filter(sys, &code);
}

/* A helper of perf_event programs. */
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
