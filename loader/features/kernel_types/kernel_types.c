// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open the types of vmlinux on first use. */
#include <string.h>

#include "loader/features/kernel_types/kernel_types.h"

void kernel_types_init(struct kernel_types *types, struct sys *sys, const char *path)
{
	*types = (struct kernel_types){ .sys = sys, .path = path };
	kernel_symbols_init(&types->symbols, sys);
}

static int open_vmlinux(struct kernel_types *types, const struct btf_visitor *visitor,
			struct error *err)
{
	int ret = btf_file_open_visit(types->sys, types->path, visitor, &types->vmlinux, err);

	types->is_open = !ret;
	return ret ? error_reason_default(err, "types/no-btf") : 0;
}

int kernel_types_vmlinux(struct kernel_types *types, const struct btf **btf, struct error *err)
{
	*btf = &types->vmlinux.btf;
	return types->is_open ? 0 : open_vmlinux(types, NULL, err);
}

int kernel_types_visit(struct kernel_types *types, struct type_visit *visit, struct error *err)
{
	const struct btf_visitor visitor = type_visit_visitor(visit);

	if (!types->is_open)
		return open_vmlinux(types, &visitor, err);
	visit->result =
		type_names_visit(visit->names, &types->vmlinux.btf, visit->found, visit->arg);
	return 0;
}

void kernel_types_free(struct kernel_types *types)
{
	kernel_symbols_free(&types->symbols);
	module_btfs_free(types);
	if (types->is_open)
		btf_file_close(types->sys, &types->vmlinux);
	memset(types, 0, sizeof(*types));
}
