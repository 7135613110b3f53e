// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzzes the reader of ELF. */
#include "test/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct elf_image image;

	if (walk_error(elf_image_parse(&image, (struct bytes){ data, size }, &err), &err)) {
		walk_image(&image);
		elf_image_free(&image);
	}
	promise(!image.sections && !image.symbols && !image.nr_sections);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct mutator m = fuzz_seed(seed);

	return mutate_elf(&m, data, size, max);
}
