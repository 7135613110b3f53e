/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read an object with our reader and with libelf, which only serves as an oracle for tests. */
#ifndef PLOAD_TEST_FUZZ_LIBELF_COMPARE_H
#define PLOAD_TEST_FUZZ_LIBELF_COMPARE_H

#include "elf/image.h"

/* Both views of one file, and the first difference between them. */
struct libelf_view {
	const struct elf_image *image;	/* borrowed */
	struct Elf *elf;		/* owned; NULL if libelf rejects the file at once */
	struct bytes copy;		/* owned: libelf may write into its input */
	unsigned long values;		/* found equal */
	char difference[256];
};

void libelf_open(struct libelf_view *view, struct bytes file);
void libelf_close(struct libelf_view *view);

/*
 * libelf_agrees() - Return true if libelf reads the same as @image; otherwise view->difference has
 * the reason.
 */
bool libelf_agrees(struct libelf_view *view, const struct elf_image *image);

/* libelf_takes() - Return true if libelf alone can read the whole file as a 64-bit BPF object. */
bool libelf_takes(const struct libelf_view *view);

#endif
