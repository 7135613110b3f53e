/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An index that finds elements of an array by name. */
#ifndef PLOAD_CORE_OBJECT_NAME_INDEX_H
#define PLOAD_CORE_OBJECT_NAME_INDEX_H

#include <stdint.h>

/* All zero means empty. */
struct name_index {
	struct name_entry {
		const char *name;	/* borrowed; NULL: a free slot */
		uint32_t hash, index;
	} *entries;	/* owned */
	uint32_t mask;
};

/* name_index_init() - Allocate an index for @nr names. Return: 0 or -ENOMEM. */
int name_index_init(struct name_index *names, uint32_t nr);
void name_index_free(struct name_index *names);

/* name_index_add() - Add @name for element @index. Of duplicate names the first wins. */
void name_index_add(struct name_index *names, const char *name, uint32_t index);

/* name_index_find() - Return the index of the element named @name, or -1. */
int64_t name_index_find(const struct name_index *names, const char *name);

#endif
