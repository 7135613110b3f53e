/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Damage objects in ways that find bugs in readers, reproducibly for each seed. */
#ifndef PLOAD_TEST_FUZZ_MUTATE_H
#define PLOAD_TEST_FUZZ_MUTATE_H

#include "elf/bytes.h"

/* The state of a xorshift generator; never 0. */
struct mutator {
	uint64_t state;
};

/* mutate_below() - Return a number below @limit, which must not be 0. */
uint64_t mutate_below(struct mutator *m, uint64_t limit);

/*
 * mutate() - a damaged copy of @original: one to four places get a flipped bit, a random byte, or a
 * number that is interesting there; now and then the end is missing. Places in the ELF header, in
 * the section headers and in small sections are as likely as all others together. The caller frees
 * data, which is exactly size bytes long, so that the sanitizer sees a read behind the end.
 */
struct bytes mutate(struct mutator *m, struct bytes original);

/*
 * mutate_copy() - the first @size bytes of @original, again exactly as long, for the caller to
 * free.
 */
struct bytes mutate_copy(struct bytes original, size_t size);

/*
 * mutate_file() - Return the contents of the file @path, or nothing if it cannot be read; the
 * caller frees it.
 */
struct bytes mutate_file(const char *path);

#endif
