/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Make a chosen allocation of the program fail, including those in libraries. */
#ifndef PLOAD_TEST_FAULT_FAILING_MALLOC_H
#define PLOAD_TEST_FAULT_FAILING_MALLOC_H

#include <stdint.h>

/*
 * memory_watch() - Count the allocations of this thread from now on; allocation @fail fails with
 * ENOMEM (1: the next one; 0: none). @stacks: NULL, or filled with a number for the call stack of
 * each of the first @max allocations.
 * memory_watch_end() - Return how many there were.
 */
void memory_watch(unsigned int fail, uint64_t *stacks, unsigned int max);
unsigned int memory_watch_end(void);

/*
 * memory_pause(), memory_resume() - In between, allocations are neither counted nor made to fail,
 * because they are not those of the code under test. Pairs may nest.
 */
void memory_pause(void);
void memory_resume(void);

#endif
