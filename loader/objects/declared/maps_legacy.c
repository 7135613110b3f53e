// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read legacy maps: each symbol in section "maps" is a struct bpf_map_def. Fields were added over
 * the years, so the size depends on the headers the object was built with.
 *
 *	type, key_size, value_size, max_entries, map_flags [, inner_map_idx, numa_node]
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

/* The fields, 32 bits each. The first five are required. */
enum {
	DEF_TYPE,
	DEF_KEY_SIZE,
	DEF_VALUE_SIZE,
	DEF_MAX_ENTRIES,
	DEF_MAP_FLAGS,
	DEF_INNER_MAP_IDX,	/* samples/bpf: index of the inner map template in the section */
	DEF_NUMA_NODE,
	NR_DEF_FIELDS,
};

#define DEF_MIN_SIZE ((DEF_MAP_FLAGS + 1) * sizeof(uint32_t))

/*
 * Return true if the symbol is a map: a variable, static or not; old compilers did not set the
 * type. The section's own symbol is not a map.
 */
static bool is_map(const struct parse *p, const struct elf_symbol *symbol)
{
	if (symbol->section >= p->obj->image.nr_sections)
		return false;
	if (p->sections[symbol->section].use != SECTION_LEGACY_MAPS)
		return false;
	return symbol->type == STT_OBJECT ||
	       (symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL);
}

static int compare_location(const void *a, const void *b)
{
	const struct object_map *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int read_def(const struct parse *p, struct object_map *map, struct error *err)
{
	const struct elf_section *section = &p->obj->image.sections[map->section];
	uint32_t def[NR_DEF_FIELDS] = { 0 };
	bool holds_maps;

	if (!bytes_hold(section->data.size, map->offset, map->size))
		return error_set(err, EBADMSG,
				 "its %llu bytes at 0x%llx are outside the section",
				 (unsigned long long)map->size, (unsigned long long)map->offset);
	for (uint64_t i = 0; i < map->size; i++) {
		if (i < sizeof(def) && i % sizeof(uint32_t) == 0)
			def[i / sizeof(uint32_t)] =
				bytes_u32(section->data, map->offset + i, p->obj->image.swap);
		if (i < sizeof(def) || !bytes_u8(section->data, map->offset + i))
			continue;
		error_set(err, ENOTSUP,
			  "unknown field in its definition: byte %llu is not 0",
			  (unsigned long long)i);
		return error_hint(err, "declare it with BTF, in section \".maps\"");
	}
	map->type = def[DEF_TYPE];
	map->key_size = def[DEF_KEY_SIZE];
	map->value_size = def[DEF_VALUE_SIZE];
	map->max_entries = def[DEF_MAX_ENTRIES];
	map->map_flags = def[DEF_MAP_FLAGS];
	map->numa_node = def[DEF_NUMA_NODE];
	holds_maps =
		map->type == BPF_MAP_TYPE_ARRAY_OF_MAPS || map->type == BPF_MAP_TYPE_HASH_OF_MAPS;
	if (map->type == BPF_MAP_TYPE_UNSPEC)
		return error_set(err, EBADMSG, "it has no type");
	if (holds_maps && map->size <= DEF_INNER_MAP_IDX * sizeof(uint32_t)) {
		error_set(err, EBADMSG, "a map of maps needs a description of the inner maps");
		return error_hint(
			err, "declare it with BTF, in \".maps\", with __array(values, ...)");
	}
	map->inner = holds_maps ? (int)(def[DEF_INNER_MAP_IDX] & INT32_MAX) : -1;
	return 0;
}

/* Read the @nr maps of one section, in offset order; each is an equal part of it. */
static int read_section(const struct parse *p, uint32_t first, uint32_t nr, struct error *err)
{
	struct object_map *maps = &p->obj->maps[first];
	const struct elf_section *section = &p->obj->image.sections[maps->section];
	uint64_t size = section->size / nr;
	int ret = 0;

	if (section->size % nr || size < DEF_MIN_SIZE || size % sizeof(uint32_t)) {
		error_set(
			err, EBADMSG,
			"%u maps in %llu bytes: not equally large definitions of at least %zu "
			"bytes",
			nr, (unsigned long long)section->size, DEF_MIN_SIZE);
		return error_where(err, "section %u '%s'", maps->section, section->name);
	}
	for (uint32_t i = 0; i < nr && !ret; i++) {
		maps[i].size = size;
		if (maps[i].offset % size)
			ret = error_set(err, EBADMSG,
					"it starts at 0x%llx, inside a definition of %llu bytes",
					(unsigned long long)maps[i].offset,
					(unsigned long long)size);
		else
			ret = read_def(p, &maps[i], err);
		if (!ret && maps[i].inner >= 0 &&
		    ((uint32_t)maps[i].inner >= nr || (uint32_t)maps[i].inner == i))
			ret = error_set(err, EBADMSG, "its inner map index %d is not below %u",
					maps[i].inner, nr);
		if (!ret && maps[i].inner >= 0)
			maps[i].inner += first;
		if (ret)
			error_where(err, "map '%s'", maps[i].name);
	}
	return ret;
}

/* Add a map for each location; a second symbol there is an alias. */
static int collect(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	uint32_t first = obj->nr_maps, kept = first;

	for (uint32_t n = 0; n < p->nr_symbols; n++) {
		const struct elf_symbol *symbol = &obj->image.symbols[p->symbols[n]];
		struct object_map *map = is_map(p, symbol) ? object_add_map(obj) : NULL;

		if (!map && is_map(p, symbol))
			return error_set(err, ENOMEM, "no memory for map '%s'", symbol->name);
		if (!map)
			continue;
		map->name = symbol->name;
		map->kind = OBJECT_MAP_LEGACY;
		map->section = symbol->section;
		map->offset = symbol->value;
	}
	if (obj->nr_maps == first)
		return 0;
	qsort(obj->maps + first, obj->nr_maps - first, sizeof(*obj->maps), compare_location);
	for (uint32_t i = first; i < obj->nr_maps; i++)
		if (i == first || compare_location(&obj->maps[i], &obj->maps[kept - 1]))
			obj->maps[kept++] = obj->maps[i];
	obj->nr_maps = kept;
	return 0;
}

static int parse_legacy_maps(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	uint32_t first = obj->nr_maps, nr;
	int ret = collect(p, err);

	for (; !ret && first < obj->nr_maps; first += nr) {
		for (nr = 1; first + nr < obj->nr_maps; nr++)
			if (obj->maps[first + nr].section != obj->maps[first].section)
				break;
		ret = read_section(p, first, nr, err);
	}
	return ret;
}

const struct object_feature object_legacy_maps = {
	.uses = 1 << SECTION_LEGACY_MAPS, .reason = "object/map",
	.parse = { [PARSE_MAPS] = parse_legacy_maps },
};
