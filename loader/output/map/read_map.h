/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every element of a map, by the fewest system calls its kernel and type allow. */
#ifndef PLOAD_OUTPUT_MAP_READ_MAP_H
#define PLOAD_OUTPUT_MAP_READ_MAP_H

#include "loader/kernel/kernel.h"

struct map_reader {
	struct sys *sys;	/* borrowed */
	int fd;			/* borrowed */
	uint32_t key_size, max_entries;
	size_t value_size;	/* as the kernel gives it: for a per-CPU map all CPUs' */
	bool *no_batch;		/* borrowed; becomes true on a kernel that has no batches */
	/* Takes each element; what it returns other than 0 ends the reading. */
	int (*element)(void *ctx, const unsigned char *key, const unsigned char *value,
		       struct error *err);
	void *ctx;
};

/*
 * read_map() - hand every element to @reader->element. An element that is deleted meanwhile is
 * skipped. In a map that programs change while it is read an element can come twice or not at all;
 * it ends in any case, after twice as many as the map can hold.
 */
int read_map(const struct map_reader *reader, struct error *err);

#endif
