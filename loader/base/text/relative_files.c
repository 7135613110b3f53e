// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shorten the names of source files, which compilers record as absolute paths. */
#include <string.h>

#include "loader/core/sys/refused.h"

void sys_relative_files(struct sys *sys, struct error *err)
{
	char dir[sizeof(err->notes[0].file)];
	const ssize_t len = err->nr_notes ?
				    sys_readlinkat(sys, "/proc/self/cwd", dir, sizeof(dir)) :
				    -1;

	if (len <= 0 || (size_t)len == sizeof(dir))
		return;
	for (unsigned int i = 0; i < err->nr_notes; i++) {
		char *file = err->notes[i].file;

		if (!strncmp(file, dir, len) && file[len] == '/')
			memmove(file, file + len + 1, strlen(file + len + 1) + 1);
	}
}

void explain_files(struct sys *sys, const void *nothing, struct error *err)
{
	(void)nothing;
	sys_relative_files(sys, err);
}
