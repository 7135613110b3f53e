// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find a map by its location in a section. */
#include <errno.h>
#include <stdlib.h>

#include "loader/object/object_internal.h"

static int compare(const void *a, const void *b)
{
	const struct map_location *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int map_index_init(struct map_index *index, const struct bpf_object *obj, struct error *err)
{
	index->nr = 0;
	index->list = calloc(obj->nr_maps + 1, sizeof(*index->list));
	if (!index->list)
		return error_set(err, ENOMEM, "no memory for the index of %u maps", obj->nr_maps);
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].section && obj->maps[i].kind != OBJECT_MAP_DATA)
			index->list[index->nr++] = (struct map_location){
				obj->maps[i].section, obj->maps[i].offset, i
			};
	array_sort(index->list, index->nr, sizeof(*index->list), compare);
	return 0;
}

int64_t map_index_before(const struct map_index *index, uint32_t section, uint64_t offset)
{
	uint32_t low = 0, high = index->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct map_location *m = &index->list[mid];

		if (m->section < section || (m->section == section && m->offset <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || index->list[low - 1].section != section)
		return -1;
	return index->list[low - 1].map;
}

int64_t map_index_at(const struct map_index *index, const struct bpf_object *obj, uint32_t section,
		  uint64_t offset)
{
	int64_t map = map_index_before(index, section, offset);

	return map >= 0 && obj->maps[map].offset == offset ? map : -1;
}
