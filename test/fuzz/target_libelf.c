// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzz the reader of ELF files and libelf: they must read the same from a file that both accept. */
#include <stdio.h>

#include "test/fuzz/libelf_compare.h"
#include "test/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = { data, size };
	struct libelf_view view = { 0 };
	struct error err = { 0 };
	struct elf_image image;

	if (!walk_error(elf_image_parse(&image, file, &err), &err))
		return 0;
	libelf_open(&view, file);
	if (!libelf_agrees(&view, &image)) {
		fprintf(stderr, "%s\n", view.difference);
		promise(!"libelf sees the same");
	}
	libelf_close(&view);
	elf_image_free(&image);
	return 0;
}

FUZZ_MUTATES(mutate_elf)
