// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes opening and searching the types of a kernel. The input is a pair of a file, raw BTF or
 * ELF, and the split BTF of a module on top of it.
 */
#include "loader/objects/co_re/co_re_internal.h"
#include "test/fuzz/kernel.h"
#include "test/fuzz/target.h"

#define MAX_QUERIES 64

/* Search a fraction of the types of @btf by name and kind. */
static uint32_t add_queries(const struct btf *btf, struct type_query *queries, uint32_t nr)
{
	const uint32_t nr_types = btf_nr_types(btf), step = 1 + nr_types / (MAX_QUERIES / 2);

	for (uint32_t id = 1; id < nr_types && nr < MAX_QUERIES; id += step) {
		struct btf_type_view t = checked_type(btf, id);

		queries[nr++] = (struct type_query){ .name = t.name,
						     .kinds = UINT32_C(1) << t.kind };
	}
	return nr;
}

static void search(struct kernel_types *types)
{
	struct type_query queries[MAX_QUERIES];
	const struct btf *vmlinux, *module;
	struct error err = { 0 };
	uint32_t nr;
	int ret;

	if (!walk_error(kernel_types_vmlinux(types, &vmlinux, &err), &err))
		return;
	walk_indexed(vmlinux);
	nr = add_queries(vmlinux, queries, 0);
	ret = kernel_types_module(types, 0, &module, &err);
	if (ret > 0) {
		promise(!types->path && module->base == vmlinux);
		walk_indexed(module);
		nr = add_queries(module, queries, nr);
	} else {
		walk_error(ret, &err);
	}
	if (!walk_error(kernel_types_find(types, queries, nr, &err), &err))
		return;
	for (uint32_t i = 0; i < nr; i++) {
		struct btf_type_view t =
			checked_type(kernel_types_btf(types, queries[i].module), queries[i].id);

		promise(!t.id || queries[i].kinds >> t.kind & 1);
		promise(!t.id || !strncmp(t.name, queries[i].name, TYPE_NAME_MAX));
		/* It exists, and unknown kinds are not searched. */
		promise(t.id || !queries[i].name[0] || queries[i].kinds == 1u << BTF_KIND_UNKN);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_kernel k;
	struct kernel_types types;
	struct bytes first, second;

	if (!pair_split((struct bytes){ data, size }, &first, &second))
		return -1;
	fuzz_kernel_init(&k);
	k.vmlinux = mutate_copy(first, first.size);
	k.module = mutate_copy(second, second.size);
	for (int from_file = 0; from_file < 2; from_file++) {
		kernel_types_init(&types, &k.sys, from_file ? FUZZ_TYPES : NULL);
		search(&types);
		kernel_types_free(&types);
		promise(!k.nr_open);
	}
	free((void *)k.vmlinux.data);
	free((void *)k.module.data);
	return 0;
}

/*
 * An input that starts like an ELF file is mutated like one, even if it is an object only by
 * chance.
 */
static size_t mutate_types(struct mutator *m, unsigned char *data, size_t size, size_t max)
{
	return size > 4 && data[0] == 0x7f ? mutate_elf(m, data, size, max) :
					     mutate_btf(m, data, size, max);
}

FUZZ_MUTATES_PAIR(mutate_types, mutate_btf)
