/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Declares the functions that libFuzzer calls, and includes the headers that each target needs. */
#ifndef PLOAD_TEST_FUZZ_TARGET_H
#define PLOAD_TEST_FUZZ_TARGET_H

#include <stdlib.h>

#include "test/fuzz/structured.h"
#include "test/fuzz/walk.h"

/* @data is exactly @size bytes long, so that the sanitizer finds a read beyond the end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

/* Define how libFuzzer changes an input of one part, or of two (pair_split()). */
#define FUZZ_MUTATES(mutation) \
	size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed) \
	{ \
		struct mutator m = fuzz_seed(seed); \
		return mutation(&m, data, size, max); \
	}
#define FUZZ_MUTATES_PAIR(first, second) \
	size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed) \
	{ \
		struct mutator m = fuzz_seed(seed); \
		return pair_mutate(&m, data, size, max, first, second); \
	}

#endif
