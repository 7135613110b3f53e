// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes what the kernel is asked for: config values, symbols, variables and functions. The input:
 * a pair of an object and a pair of the BTF of a kernel and that of a module.
 */
#include "loader/objects/externs/externs.h"
#include "test/fuzz/kernel.h"
#include "test/fuzz/target.h"

/* Explain a refusal by the kernel, for each known reason, of the last linked program. */
static void explain(const struct externs *x)
{
	static const char *const logs[] = {
		"0: (85) call unknown#2002000001\n", "0: (85) call unknown#2002999999\n",
		"BPF_CALL uses reserved fields\n", "invalid bpf_ld_imm64 insn\n", "",
	};

	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct error err = { 0 };

		error_set(&err, 22, "refused");
		error_where(&err, "here");
		error_log(&err, strdup(logs[i]));
		externs_explain(x, &err);
		walk_error(-22, &err);
	}
}

static void use(struct bpf_object *obj, struct fuzz_kernel *k)
{
	struct map_usage *usage = calloc(obj->nr_maps + 1, sizeof(*usage));
	struct kernel_types types;
	struct error err = { 0 };
	struct externs externs;
	struct co_re core;

	if (!usage)
		abort();
	kernel_types_init(&types, &k->sys, NULL);
	co_re_init(&core, &types, obj, false);
	externs_init(&externs, &k->sys, &types, obj, NULL);
	if (walk_error(externs_read_kconfig(&externs, &err), &err)) {
		walk_uses(obj, &core, usage);
		explain(&externs);
	}
	externs_free(&externs);
	co_re_free(&core);
	kernel_types_free(&types);
	free(usage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_with_kernel((struct bytes){ data, size }, use);
}

FUZZ_MUTATES_PAIR(mutate_elf, mutate_kernel)
