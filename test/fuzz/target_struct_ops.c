// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes structs of functions: laid out as a hostile kernel has them, and given to it. The input: a
 * pair of an object and a pair of the BTF of a kernel and that of a module.
 */
#include "loader/objects/struct_ops/struct_ops_internal.h"
#include "test/fuzz/kernel.h"
#include "test/fuzz/target.h"

/* Check that a value has room for each of its descriptors, and that their programs exist. */
static void walk_value(const struct struct_ops *ops, uint32_t map)
{
	const struct ops_value *value = &ops->values[map];
	const uint32_t size = ops->maps[map].value_size;

	if (!ops->maps[map].value_type)
		return;
	promise(ops->obj->maps[map].kind == OBJECT_MAP_STRUCT_OPS && value->name && value->bytes);
	for (uint32_t i = 0; i < value->nr_slots; i++) {
		promise(size >= sizeof(uint64_t) &&
			value->slots[i].index <= size - sizeof(uint64_t));
		promise(value->slots[i].target < ops->obj->nr_progs);
		promise(ops->targets[value->slots[i].target].btf_id);
	}
}

/* As if every third program had not been loaded. */
static void attach(const struct struct_ops *ops, struct sys *sys)
{
	struct kernel_object k = { .object = ops->obj };
	struct error err = { 0 };
	int fd;

	k.maps = calloc(ops->obj->nr_maps, sizeof(*k.maps));
	k.progs = calloc(ops->obj->nr_progs + 1, sizeof(*k.progs));
	if (!k.maps || !k.progs)
		abort();
	for (uint32_t i = 0; i < ops->obj->nr_progs; i++)
		k.progs[i].fd = i % 3 == 2 ? -1 : (int)i + 1000;
	for (uint32_t i = 0; i < ops->obj->nr_maps; i++) {
		if (!ops->maps[i].value_type)
			continue;
		if (walk_error(struct_ops_attach(ops, &k, i, &fd, &err), &err) && fd >= 0)
			sys_close_fd(sys, &fd);
		walk_error(struct_ops_detach(sys, &k, i, &err), &err);
	}
	free(k.maps);
	free(k.progs);
}

static void use(struct bpf_object *obj, struct fuzz_kernel *k, bool optional)
{
	bool *wanted = malloc(obj->nr_progs + 1);
	struct kernel_types types;
	struct prog_target target;
	struct error err = { 0 };
	struct struct_ops ops;

	if (!wanted)
		abort();
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		wanted[i] = optional;
	kernel_types_init(&types, &k->sys, NULL);
	struct_ops_init(&ops, &k->sys, &types, obj);
	if (walk_error(struct_ops_find(&ops, wanted, &err), &err)) {
		for (uint32_t i = 0; ops.maps && i < obj->nr_maps; i++)
			walk_value(&ops, i);
		for (uint32_t i = 0; i < obj->nr_progs; i++)
			walk_error(struct_ops_target(&ops, i, &target, &err), &err);
		if (ops.maps)
			attach(&ops, &k->sys);
	}
	struct_ops_free(&ops);
	kernel_types_free(&types);
	free(wanted);
}

static void use_both(struct bpf_object *obj, struct fuzz_kernel *k)
{
	use(obj, k, false);
	use(obj, k, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_with_kernel((struct bytes){ data, size }, use_both);
}

FUZZ_MUTATES_PAIR(mutate_elf, mutate_kernel)
