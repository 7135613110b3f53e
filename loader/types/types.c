// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's types, opened when somebody first asks for them. */
#include <string.h>

#include "loader/types/types.h"

void kernel_types_init(struct kernel_types *types, struct sys *sys, const char *path)
{
	*types = (struct kernel_types){ .sys = sys, .path = path };
	kernel_symbols_init(&types->symbols, sys);
}

int kernel_types_vmlinux(struct kernel_types *types, const struct btf **btf, struct error *err)
{
	int ret;

	if (!types->is_open) {
		ret = types_file_open(types->sys, types->path, &types->vmlinux, err);
		if (ret)
			return ret;
		types->is_open = true;
	}
	*btf = &types->vmlinux.btf;
	return 0;
}

void kernel_types_free(struct kernel_types *types)
{
	kernel_symbols_free(&types->symbols);
	types_modules_free(types);
	if (types->is_open)
		types_file_close(types->sys, &types->vmlinux);
	memset(types, 0, sizeof(*types));
}
