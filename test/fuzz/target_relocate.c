// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes the linking of programs, with CO-RE against the object's own types and with CO-RE left to
 * the kernel, and what is seen in the linked code.
 */
#include "test/fuzz/target.h"

static void use(struct bpf_object *obj, bool by_kernel)
{
	struct map_usage *usage = calloc(obj->nr_maps + 1, sizeof(*usage));
	struct error err = { 0 };
	struct btf target = { 0 };
	struct co_re core;

	if (!usage)
		abort();
	co_re_init(&core, NULL, obj, by_kernel);
	/* A kernel's types are found on demand, unlike those of an object. */
	if (by_kernel || !obj->has_btf ||
	    (walk_error(btf_index(&target, obj->btf.raw, &err), &err) &&
	     walk_error(co_re_set_target(&core, &target, &err), &err)))
		walk_uses(obj, &core, usage);
	co_re_free(&core);
	btf_free(&target);
	free(usage);
	obj->co_re = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct bpf_object obj;

	if (!walk_error(bpf_object_parse(&obj, "fuzz.o", (struct bytes){ data, size }, &err), &err))
		return 0;
	use(&obj, false);
	if (obj.ext.core_relo.nr_secs)
		use(&obj, true);
	bpf_object_free(&obj);
	return 0;
}

FUZZ_MUTATES(mutate_elf)
