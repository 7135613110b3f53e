// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A file that is in memory as a whole. */
#include "elf/source.h"

static int get_from_memory(void *arg, uint64_t off, uint64_t len, struct bytes *out,
			   struct error *err)
{
	const struct bytes *file = arg;

	(void)err;
	*out = bytes_slice(*file, off, len);
	return 0;
}

struct elf_source elf_source_memory(struct bytes *file)
{
	return (struct elf_source){ .size = file->size, .get = get_from_memory, .arg = file };
}
