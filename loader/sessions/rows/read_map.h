/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read every element of a map with as few system calls as the kernel allows. */
#ifndef PLOAD_SESSIONS_ROWS_READ_MAP_H
#define PLOAD_SESSIONS_ROWS_READ_MAP_H

#include "loader/core/kernel/kernel.h"

struct map_reader {
	struct sys *sys;	/* borrowed */
	int fd;			/* borrowed */
	uint32_t key_size, max_entries;
	size_t value_size;	/* in bytes; a per-CPU map: the values of all CPUs */
	bool *no_batch;		/* borrowed; set if BPF_MAP_LOOKUP_BATCH (5.6) is missing */
	/* Called for each element; a return value other than 0 ends the iteration. */
	int (*element)(void *ctx, const unsigned char *key, const unsigned char *value,
		       struct error *err);
	void *ctx;
};

/**
 * read_map() - Call @reader->element for every element.
 *
 * In a map that programs change meanwhile an element can be visited twice or not at all. The
 * iteration ends in any case, after twice as many elements as the map can hold.
 */
int read_map(const struct map_reader *reader, struct error *err);

#endif
