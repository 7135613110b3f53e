// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fill maps of maps and programs: inner maps once all maps exist, programs once they are loaded.
 */
#include <errno.h>
#include <stdlib.h>

#include "loader/objects/special_maps/special_maps.h"
#include "loader/base/text/names.h"
#include "loader/base/kernel/kernel_calls.h"

static int fill_slot(struct sys *sys, const struct kernel_object *k, uint32_t i,
		     const struct object_slot *slot, int fd, struct error *err)
{
	const uint32_t value = fd;
	int ret = map_update(sys, k->maps[i].fd, &slot->index, &value, BPF_ANY);

	if (ret >= 0)
		return ret;
	error_set(err, -ret, "BPF_MAP_UPDATE_ELEM: %s", error_strerror(-ret));
	error_reason(err, "map-create/content");
	return map_update_call(err, k->maps[i].fd, &slot->index, &value, -ret);
}

/*
 * Establishes that the index is in range. The kernel also checks this, but E2BIG does not say so.
 */
static int check_index(const struct kernel_object *k, uint32_t i, const struct object_slot *slot,
		       struct error *err)
{
	if (slot->index < k->maps[i].max_entries)
		return 0;
	error_set(err, E2BIG, "the map has %u entries", k->maps[i].max_entries);
	error_reason(err, "object/slot");
	return error_hint(err, "raise max_entries, or leave the slot out of .values");
}

/*
 * Report the attribute in which an inner map differs from the template against which programs are
 * verified: bpf_map_meta_equal() in kernel/bpf/map_in_map.c.
 */
static void explain_inner(const struct kernel_object *k, uint32_t i, uint32_t target,
			  struct error *err)
{
	const struct object_map *objects = k->object->maps;
	const uint32_t inner = objects[i].inner;
	const struct kernel_map *want = &k->maps[inner], *got = &k->maps[target];
	const struct {
		const char *name;
		uint32_t want, got;
	} fields[] = {
		{ "type", objects[inner].type, objects[target].type },
		{ "key_size", want->key_size, got->key_size },
		{ "value_size", want->value_size, got->value_size },
		{ "map_flags", want->map_flags, got->map_flags },
		{ "max_entries", want->max_entries, got->max_entries },
	};

	for (size_t n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
		if (fields[n].want == fields[n].got)
			continue;
		error_hint(err, "its %s is %u, but %u in the description of inner maps%s",
			   fields[n].name, fields[n].got, fields[n].want,
			   n + 1 < sizeof(fields) / sizeof(fields[0]) ? "" :
			   "; with BPF_F_INNER_MAP in both map_flags, arrays may differ");
		return;
	}
}

/*
 * Fill a map of maps in one batch. After each update the kernel waits some milliseconds until no
 * program uses the old map; after a batch only once (Linux 6.8). Return true if all were written;
 * otherwise the caller writes them one by one to find the one that fails.
 */
static bool fill_at_once(struct sys *sys, const struct kernel_object *k, uint32_t i)
{
	const struct object_map *map = &k->object->maps[i];
	uint32_t *keys = calloc(2 * (size_t)map->nr_slots, sizeof(*keys)), *values;
	bool done = false;

	if (!keys)
		return false;
	values = keys + map->nr_slots;
	for (uint32_t n = 0; n < map->nr_slots; n++) {
		keys[n] = map->slots[n].index;
		values[n] = k->maps[map->slots[n].target].fd;
	}
	done = !map_update_batch(sys, k->maps[i].fd, keys, values, map->nr_slots);
	free(keys);
	return done;
}

static int fill_maps(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	int ret = 0;

	if (map->nr_slots > 1 && fill_at_once(sys, k, i))
		return 0;
	for (uint32_t n = 0; n < map->nr_slots; n++) {
		const struct object_slot *slot = &map->slots[n];

		/* In a hash, the index is a key like any other. */
		if (map->type != BPF_MAP_TYPE_HASH_OF_MAPS)
			ret = check_index(k, i, slot, err);
		if (!ret)
			ret = fill_slot(sys, k, i, slot, k->maps[slot->target].fd, err);
		if (ret == -EINVAL)
			explain_inner(k, i, slot->target, err);
		if (ret < 0) {
			error_where(err, "slot %u, '%s'", slot->index,
				    k->object->maps[slot->target].name);
			return ret;
		}
	}
	return 0;
}

static const struct special_map *of_maps(uint32_t type)
{
	static const struct special_map steps = { .fill = fill_maps };

	return type == BPF_MAP_TYPE_ARRAY_OF_MAPS || type == BPF_MAP_TYPE_HASH_OF_MAPS ? &steps :
											  NULL;
}

const struct kernel_feature kernel_maps_of_maps = { .special = of_maps };

static int fill_progs(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err)
{
	const struct object_map *map = &k->object->maps[i];

	for (uint32_t n = 0; n < map->nr_slots; n++) {
		const struct object_slot *slot = &map->slots[n];
		const struct object_prog *prog = &k->object->progs[slot->target];
		int fd = k->progs[slot->target].fd, ret;

		if (fd < 0)
			continue;
		ret = check_index(k, i, slot, err);
		if (!ret)
			ret = fill_slot(sys, k, i, slot, fd, err);
		if (ret == -EINVAL)
			error_hint(err,
				   "its type is %s: all programs in a program array must have the "
				   "type of the programs that call into it",
				   sys_prog_type_name(prog->kind->prog_type));
		if (ret < 0) {
			error_where(err, "slot %u, '%s'", slot->index, prog->name);
			error_where(err, "map '%s'", map->name);
			return ret;
		}
	}
	return 0;
}

int kernel_fill_prog_arrays(struct sys *sys, const struct kernel_object *k, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < k->object->nr_maps; i++)
		if (k->object->maps[i].type == BPF_MAP_TYPE_PROG_ARRAY && k->maps[i].fd >= 0)
			ret = fill_progs(sys, k, i, err);
	return ret;
}
