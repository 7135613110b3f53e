/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Mutations for libFuzzer that know the formats: counts, lengths and indices hold most bytes of an
 * object together, and a fuzzer that does not know them never gets past the first checks. Each
 * mutation returns the new size of the data, at most @max, for which there is room. Input that is
 * no longer sound is changed byte by byte.
 */
#ifndef PLOAD_TEST_FUZZ_STRUCTURED_H
#define PLOAD_TEST_FUZZ_STRUCTURED_H

#include "elf/bytes.h"
#include "test/fuzz/mutate.h"

typedef size_t mutation(struct mutator *m, unsigned char *data, size_t size, size_t max);

/* mutate_bytes() is libFuzzer's own, with its dictionary and the comparisons that it has seen. */
mutation mutate_bytes, mutate_btf, mutate_ext, mutate_elf;

/*
 * Inputs of two parts: a little-endian word with the length of the first, the first, the second.
 * pair_split() - false when there is no such word; a length too large takes all there is.
 * pair_mutate() - change one of them by its own mutation.
 */
bool pair_split(struct bytes input, struct bytes *first, struct bytes *second);
size_t pair_mutate(struct mutator *m, unsigned char *data, size_t size, size_t max,
		   mutation *first, mutation *second);

/* fuzz_seed() - Create a generator from libFuzzer's seed, which may be 0. */
struct mutator fuzz_seed(unsigned int seed);

/* pick_word() - Return a number that has a meaning where there are @nr things. */
uint32_t pick_word(struct mutator *m, uint32_t old, uint32_t nr);

#endif
