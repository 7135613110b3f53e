/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An object laid out anew around sections that have other contents. */
#ifndef PLOAD_TEST_FUZZ_LAYOUT_H
#define PLOAD_TEST_FUZZ_LAYOUT_H

#include "elf/image.h"
#include "test/unit/common/buffer.h"

/* layout_contents() - what each section has now, by index, for the caller to change and free. */
struct bytes *layout_contents(const struct elf_image *image);

/*
 * layout() - the same headers, and behind them the contents of one section after the other. Indices
 * stay as they are. The caller frees the buffer.
 */
struct buffer layout(const struct elf_image *image, const struct bytes *contents);

#endif
