// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open the types of vmlinux on first use. */
#include <string.h>

#include "loader/objects/kernel_types/kernel_types.h"

int kernel_types_vmlinux(struct kernel_types *types, const struct btf **btf, struct error *err)
{
	*btf = &types->vmlinux.btf;
	if (types->is_open)
		return 0;
	if (btf_file_open(types->sys, types->path, &types->vmlinux, err))
		return error_reason_default(err, "types/no-btf");
	types->is_open = true;
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
