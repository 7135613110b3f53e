/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Small inputs made for fuzzing, where compilers' objects would be too long. */
#ifndef PLOAD_TEST_FUZZ_SEEDS_H
#define PLOAD_TEST_FUZZ_SEEDS_H

#include "test/unit/buffer.h"

/* An object with CO-RE relocations of every kind, and BTF of a kernel for them. The caller frees. */
struct buffer seed_core_object(void);
struct buffer seed_core_target(void);

#endif
