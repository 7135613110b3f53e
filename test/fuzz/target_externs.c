// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes what the kernel is asked for: config values, symbols, variables and functions. The input:
 * a pair of an object and a pair of the BTF of a kernel and that of a module.
 */
#include "loader/objects/externs/externs.h"
#include "test/fuzz/kernel.h"
#include "test/fuzz/seeds.h"
#include "test/fuzz/target.h"

/* Explains a refusal by the kernel, for each known reason, of the program that was linked last. */
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
	struct bytes first, second, file, vmlinux, module;
	struct error err = { 0 };
	struct bpf_object obj;
	struct fuzz_kernel k;

	if (!pair_split((struct bytes){ data, size }, &first, &second) ||
	    !pair_split(second, &vmlinux, &module))
		return -1;
	fuzz_kernel_init(&k);
	file = mutate_copy(first, first.size);
	if (walk_error(bpf_object_parse(&obj, "fuzz.o", file, &err), &err)) {
		k.vmlinux = mutate_copy(vmlinux, vmlinux.size);
		k.module = mutate_copy(module, module.size);
		k.config = (struct bytes){ (const void *)SEED_CONFIG, strlen(SEED_CONFIG) };
		k.symbols = (struct bytes){ (const void *)SEED_SYMBOLS, strlen(SEED_SYMBOLS) };
		use(&obj, &k);
		bpf_object_free(&obj);
		free((void *)k.vmlinux.data);
		free((void *)k.module.data);
	}
	promise(!k.nr_open);
	free((void *)file.data);
	return 0;
}

static size_t mutate_kernel(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	return pair_mutate(m, data, size, max, mutate_btf, mutate_btf);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct mutator m = fuzz_seed(seed);

	return pair_mutate(&m, data, size, max, mutate_elf, mutate_kernel);
}
