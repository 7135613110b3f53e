/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read all elements of a map with as few system calls as possible. */
#ifndef PLOAD_SESSIONS_ROWS_READ_MAP_H
#define PLOAD_SESSIONS_ROWS_READ_MAP_H

#include "loader/core/kernel/kernel.h"

struct map_reader {
	struct sys *sys;	/* borrowed */
	int fd;			/* borrowed */
	uint32_t key_size, max_entries;
	size_t value_size;	/* in bytes; for a per-CPU map, of the values of all CPUs */
	bool *no_batch;		/* borrowed; set if BPF_MAP_LOOKUP_BATCH (5.6) is missing */
	/* Called for each element; a nonzero return value ends the iteration. */
	int (*element)(void *ctx, const unsigned char *key, const unsigned char *value,
		       struct error *err);
	void *ctx;
};

/**
 * read_map() - Call @reader->element for every element.
 *
 * If programs change the map in the meantime, an element may be visited twice or not at all. The
 * iteration stops after twice as many elements as the map can hold.
 */
int read_map(const struct map_reader *reader, struct error *err);

#endif
