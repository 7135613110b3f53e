/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Things found by their names: a hash table beside the array that they lie in. */
#ifndef PLOAD_OBJECT_NAME_INDEX_H
#define PLOAD_OBJECT_NAME_INDEX_H

#include <stdint.h>

/* Zeroed is empty: nothing is found in it. */
struct name_index {
	struct name_entry {
		const char *name;	/* borrowed; NULL: free */
		uint32_t hash, index;
	} *entries;	/* owned */
	uint32_t mask;
};

/* name_index_init() - room for @nr names. Returns 0 or -ENOMEM. */
int name_index_init(struct name_index *names, uint32_t nr);
void name_index_free(struct name_index *names);

/* name_index_add() - @name is number @index. Of several things of one name the first is found. */
void name_index_add(struct name_index *names, const char *name, uint32_t index);

/* name_index_find() - the number of what has that name, or -1. */
int64_t name_index_find(const struct name_index *names, const char *name);

#endif
