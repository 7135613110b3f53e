/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lay out an object again, with other contents in its sections. */
#ifndef PLOAD_TEST_FUZZ_LAYOUT_H
#define PLOAD_TEST_FUZZ_LAYOUT_H

#include "elf/image.h"
#include "test/unit/common/buffer.h"

/*
 * layout_contents() - Return the contents of each section by index, for the caller to change and
 * free.
 */
struct bytes *layout_contents(const struct elf_image *image);

/*
 * layout() - Return the same headers, followed by the contents of the sections one by one. Indices
 * stay the same. The caller frees the buffer.
 */
struct buffer layout(const struct elf_image *image, const struct bytes *contents);

#endif
