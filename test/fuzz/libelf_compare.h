/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One object by our reader and by libelf, which is an oracle for tests and nothing else. */
#ifndef PLOAD_TEST_FUZZ_LIBELF_COMPARE_H
#define PLOAD_TEST_FUZZ_LIBELF_COMPARE_H

#include "elf/image.h"

/* Both views of one file, and the first difference between them. */
struct libelf_view {
	const struct elf_image *image;	/* borrowed */
	struct Elf *elf;		/* owned; NULL when libelf refuses the file at once */
	struct bytes copy;		/* owned: libelf may write into its input */
	unsigned long values;		/* found equal */
	char difference[256];
};

void libelf_open(struct libelf_view *view, struct bytes file);
void libelf_close(struct libelf_view *view);

/* libelf_agrees() - true if libelf reads the same as @image has; else view->difference has why. */
bool libelf_agrees(struct libelf_view *view, const struct elf_image *image);

/* libelf_takes() - whether libelf alone reads the file to its end, as a BPF object of 64 bits. */
bool libelf_takes(const struct libelf_view *view);

#endif
