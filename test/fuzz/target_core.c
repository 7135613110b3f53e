// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes CO-RE with types that were not checked. The input is a pair of an object and the BTF of a
 * kernel.
 */
#include <stdio.h>
#include <string.h>

#include "test/fuzz/target.h"

/* Explain a refusal by the verifier, at some instructions, of the last linked program. */
static void explain(const struct co_re *core)
{
	for (int insn = 0; insn < 4; insn++) {
		struct error err = { 0 };
		char log[64];

		snprintf(log, sizeof(log), "%d: (85) call unknown#%d\n", insn, CO_RE_POISON);
		error_set(&err, 22, "refused");
		error_where(&err, "here");
		error_log(&err, strdup(log));
		co_re_explain(core, &(struct prog_code){ 0 }, &err);
		walk_error(-22, &err);
	}
}

static void use(struct bpf_object *obj, const struct btf *target)
{
	struct map_usage *usage = calloc(obj->nr_maps + 1, sizeof(*usage));
	struct error err = { 0 };
	struct co_re core;

	if (!usage)
		abort();
	co_re_init(&core, NULL, obj, false);
	if (walk_error(co_re_set_target(&core, target, &err), &err)) {
		walk_uses(obj, &core, usage);
		explain(&core);
	}
	co_re_free(&core);
	free(usage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes first, second, file, raw;
	struct error err = { 0 };
	struct bpf_object obj;
	struct btf target;

	if (!pair_split((struct bytes){ data, size }, &first, &second))
		return -1;
	file = mutate_copy(first, first.size);
	raw = mutate_copy(second, second.size);
	if (walk_error(btf_open(&target, raw, &err), &err)) {
		if (walk_error(bpf_object_parse(&obj, "fuzz.o", file, &err), &err)) {
			use(&obj, &target);
			bpf_object_free(&obj);
		}
		btf_free(&target);
	}
	free((void *)file.data);
	free((void *)raw.data);
	return 0;
}

FUZZ_MUTATES_PAIR(mutate_elf, mutate_btf)
