// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which map is declared at which place of a section: sorted, to find it by that. */
#include <errno.h>
#include <stdlib.h>

#include "loader/object/object_internal.h"

static int compare(const void *a, const void *b)
{
	const struct map_place *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int places_make(struct map_places *places, const struct bpf_object *obj, struct error *err)
{
	places->nr = 0;
	places->list = calloc(obj->nr_maps + 1, sizeof(*places->list));
	if (!places->list)
		return error_set(err, ENOMEM, "no memory for the places of %u maps", obj->nr_maps);
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].section && obj->maps[i].kind != OBJECT_MAP_DATA)
			places->list[places->nr++] = (struct map_place){
				obj->maps[i].section, obj->maps[i].offset, i
			};
	qsort(places->list, places->nr, sizeof(*places->list), compare);
	return 0;
}

int64_t places_before(const struct map_places *places, uint32_t section, uint64_t offset)
{
	uint32_t low = 0, high = places->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct map_place *m = &places->list[mid];

		if (m->section < section || (m->section == section && m->offset <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || places->list[low - 1].section != section)
		return -1;
	return places->list[low - 1].map;
}

int64_t places_at(const struct map_places *places, const struct bpf_object *obj, uint32_t section,
		  uint64_t offset)
{
	int64_t map = places_before(places, section, offset);

	return map >= 0 && obj->maps[map].offset == offset ? map : -1;
}
