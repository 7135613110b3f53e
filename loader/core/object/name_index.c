// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A hash table of names with linear probing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/name_index.h"
#include "loader/core/value/hash.h"

/* No name in an object is longer; of longer names only a prefix is hashed. */
#define HASHED_MAX 4096

static uint32_t hash(const struct name_index *names, const char *name)
{
	return hash_name((uintptr_t)names->entries, name, strnlen(name, HASHED_MAX));
}

/* Return the slot of @name, used or free. At least half of the slots are free. */
static struct name_entry *find_entry(const struct name_index *names, const char *name, uint32_t h)
{
	for (uint32_t i = h;; i++) {
		struct name_entry *e = &names->entries[i & names->mask];

		if (!e->name || (e->hash == h && !strcmp(e->name, name)))
			return e;
	}
}

int name_index_init(struct name_index *names, uint32_t nr)
{
	uint64_t size = 2;

	while (size < 2 * (uint64_t)nr)
		size *= 2;
	*names = (struct name_index){ .mask = size - 1 };
	names->entries = calloc(size, sizeof(*names->entries));
	return names->entries ? 0 : -ENOMEM;
}

void name_index_free(struct name_index *names)
{
	free(names->entries);
	*names = (struct name_index){ 0 };
}

void name_index_add(struct name_index *names, const char *name, uint32_t index)
{
	const uint32_t h = hash(names, name);
	struct name_entry *e = find_entry(names, name, h);

	if (!e->name)
		*e = (struct name_entry){ .name = name, .hash = h, .index = index };
}

int64_t name_index_find(const struct name_index *names, const char *name)
{
	const struct name_entry *e;

	if (!names->entries)
		return -1;
	e = find_entry(names, name, hash(names, name));
	return e->name ? (int64_t)e->index : -1;
}
