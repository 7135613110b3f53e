// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Variables in an arena: they are the initial contents of the object's only arena map. */
#include <errno.h>
#include <unistd.h>

#include "loader/objects/declared/declared.h"

/*
 * Find the object's only arena. Arena variables (__arena with clang 19, SEC(".addr_space.1")
 * before) are its initial contents.
 */
static int find_arena(const struct parse *p, uint32_t *arena, struct error *err)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < p->obj->nr_maps; i++) {
		if (p->obj->maps[i].type != BPF_MAP_TYPE_ARENA || !p->obj->maps[i].section)
			continue;
		*arena = i;
		nr++;
	}
	if (nr == 1)
		return 0;
	error_set(err, EBADMSG,
		  "variables in an arena, but %u maps of type BPF_MAP_TYPE_ARENA", nr);
	return error_hint(err, nr ? "a program can have only one arena: remove the others from "
				    "the object" :
			  "define one, with max_entries pages");
}

static int add_arena_data(struct parse *p, uint32_t section, struct error *err)
{
	const struct elf_section *s = &p->obj->image.sections[section];
	const uint32_t relocs = p->sections[section].relocs;
	struct object_map *map;
	uint32_t arena = 0;
	int ret;

	if (s->size > INT32_MAX)
		ret = error_set(err, EBADMSG, "too large: %llu bytes of variables",
				(unsigned long long)s->size);
	else if (relocs && elf_reloc_count(&p->obj->image, relocs))
		ret = error_set(err, ENOTSUP, "a variable in an arena is initialized with an "
					      "address, which is unknown before loading");
	else
		ret = find_arena(p, &arena, err);
	if (ret)
		return error_where(err, "section %u '%s'", section, s->name);
	map = &p->obj->maps[arena];
	if (map->data_section) {
		error_set(err, EBADMSG,
			  "section %u also has arena variables", map->data_section);
		return error_where(err, "section %u '%s'", section, s->name);
	}
	p->sections[section].index = arena;
	map->data_section = section;
	map->data_size = s->size;
	map->data_type = p->sections[section].datasec;
	return data_content(p, section, &map->content, err);
}

uint64_t object_arena_end(const struct object_map *map)
{
	const uint64_t page = sysconf(_SC_PAGESIZE), size = map->max_entries * page;
	const uint64_t taken = (map->data_size + page - 1) / page * page;

	return taken < size ? size - taken : 0;
}

static int parse_arena_data(struct parse *p, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 1; i < p->obj->image.nr_sections && !ret; i++)
		if (p->sections[i].use == SECTION_ARENA && p->obj->image.sections[i].size)
			ret = add_arena_data(p, i, err);
	return ret;
}

const struct object_feature object_arenas = {
	.uses = 1 << SECTION_ARENA, .reason = "object/map",
	.parse = { [PARSE_MAPS] = parse_arena_data },
};
