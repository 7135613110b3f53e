// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages that create maps: their attributes, and what is in those of variables. */
#include <errno.h>
#include <string.h>

#include "loader/base/text/names.h"
#include "test/judge/stages/stages.h"

static bool maps_created(struct run *run)
{
	const struct bpf_object *obj = &run->object;

	if (!run->seen.nr_maps && run->seen.last[0])
		return wrong(run, "no map was created: %s", run->seen.last);
	if (!run->seen.nr_calls)
		return wrong(run, "no system call of bpf(2) was seen: if another process makes them for "
			     "your program (a daemon, a container), the judge does not see it");
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (!seen_map_of(run, i))
			return wrong(run, "map '%s' was not created%s", obj->maps[i].name,
				     last_failure(run));
	return true;
}

static bool map_attributes(struct run *run)
{
	const struct bpf_object *obj = &run->object;

	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];
		const struct bpf_map_info *info = &seen_map_of(run, i)->info;

		if (info->type != map->type)
			return wrong(run, "map '%s' was created as %s, and it is declared as %s",
				     map->name, sys_map_type_name(info->type) ?: "an unknown type",
				     sys_map_type_name(map->type));
		if (info->key_size != map->key_size)
			return wrong(run, "map '%s' was created with key_size %u, not %u", map->name,
				     info->key_size, map->key_size);
		if (info->value_size != map->value_size)
			return wrong(run, "map '%s' was created with value_size %u, not %u: programs would "
				     "write beyond it, and the verifier refuses them", map->name,
				     info->value_size, map->value_size);
		if (info->max_entries != map->max_entries)
			return wrong(run, "map '%s' was created with max_entries %u, not %u", map->name,
				     info->max_entries, map->max_entries);
		if (map->read_only && !(info->map_flags & BPF_F_RDONLY_PROG))
			return wrong(run, "map '%s' was created without BPF_F_RDONLY_PROG (0x80): the "
				     "verifier takes its values for constants only if programs cannot "
				     "write it", map->name);
		if (!map->read_only && (info->map_flags & BPF_F_RDONLY_PROG))
			return wrong(run, "map '%s' was created with BPF_F_RDONLY_PROG: programs could "
				     "not write their variables", map->name);
		if (map->kind != OBJECT_MAP_DATA && info->map_flags != map->map_flags)
			return wrong(run, "map '%s' was created with map_flags 0x%x, and it is declared with 0x%x",
				     map->name, info->map_flags, map->map_flags);
		if (!info->name[0])
			allowed(run, "maps have no names: the kernel wants none, tools show them");
	}
	return true;
}

#define MAPS_PAGE "book/maps.md"

const struct stage stage_create = {
	.name = "create", .title = "Create the maps",
	.task = "Create each map by BPF_MAP_CREATE: those of .maps, and those of .data, .bss and .rodata.",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl",
	.checks = (const struct check[]){
		{ "create.created", maps_created, "each map was created", MAPS_PAGE,
		  { "bpf(2) has no function in libc: call it by number, 321 on x86-64, 280 on arm64.",
		    "bpf(0, attr, size): all bytes of attr that you do not use are 0. A name has at most "
		    "15 bytes, letters, digits, '_' and '.', and a NUL.",
		    "Offsets in attr: map_type 0, key_size 4, value_size 8, max_entries 12, map_flags 16, "
		    "map_name 28. `pload explain --attr BPF_MAP_CREATE` has all." } },
		{ "create.attributes", map_attributes, "with the attributes that it was declared with",
		  MAPS_PAGE,
		  { "Compare the numbers with the line that your program prints for the map.",
		    "All numbers of attr have 4 bytes here.",
		    "map_flags of .rodata is 0x80, of a map what __uint(map_flags) declares, or 0." } },
		{ 0 } },
	.beyond = "pload also passes BTF types of keys and values, and falls back on kernels that lack "
		  "something: loader/core/kernel/map.c.",
};

/* --- data --- */

static const struct seen_map *map_of_section(struct run *run, const char *name)
{
	const int i = object_map_named(run, name);

	return i < 0 ? NULL : seen_map_of(run, i);
}

/* Compare the contents of a map of variables with the section. */
static bool variables_right(struct run *run, const struct object_map *map,
			    const unsigned char *value)
{
	bool copied = false;

	for (uint32_t at = 0; at < map->value_size && !copied; at++)
		copied = value[at];
	for (uint32_t at = 0; at < map->value_size; at++) {
		const unsigned int wanted = map->content && at < map->data_size ? map->content[at] : 0;

		if (value[at] == wanted)
			continue;
		if (!copied)
			return wrong(run, "'%s' is not 0 in the object, and all of your map is: copy the section "
				     "into element 0. The program would load and compute with zeros", map->name);
		if (!map->content)
			return wrong(run, "byte %u of '%s' is %u in your map before the program runs: variables "
				     "of .bss begin with 0, and the section has no bytes in the file, whatever "
				     "is at its sh_offset. A new map is 0 already", at, map->name, value[at]);
		return wrong(run, "byte %u of '%s' is %u in your map before the program runs, and %u in the "
			     "object: copy all %u bytes of the section", at, map->name, value[at], wanted,
			     map->value_size);
	}
	return true;
}

static bool data_copied(struct run *run)
{
	const struct bpf_object *obj = &run->object;

	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];
		const struct seen_map *seen;

		if (map->kind != OBJECT_MAP_DATA)
			continue;
		seen = map_of_section(run, map->name);
		if (!seen)
			return maps_created(run);
		if (seen->late_error)
			return wrong(run, "map '%s' was frozen before it was filled: "
				     "BPF_MAP_UPDATE_ELEM fails with EPERM then", map->name);
		if (!seen->value)
			return wrong(run, "map '%s' was gone before your program had ended", map->name);
		if (seen->info.value_size < map->value_size)
			return wrong(run, "the value of map '%s' has %u bytes, and the section %u", map->name,
				     seen->info.value_size, map->value_size);
		if (!variables_right(run, map, seen->value))
			return false;
	}
	return true;
}

static bool constants_frozen(struct run *run)
{
	const struct seen_map *seen = map_of_section(run, ".rodata");

	if (!seen)
		return maps_created(run);
	return seen->frozen ||
	       wrong(run, "'.rodata' is not frozen: processes could change the constants, so the "
		     "verifier does not use their values (BPF_MAP_FREEZE)");
}

const struct stage stage_data = {
	.name = "data", .title = "Fill the variables",
	.task = "Copy .data and .rodata into element 0 of their maps, and freeze .rodata. .bss has no "
		"bytes in the file.",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl",
	.checks = (const struct check[]){
		{ "data.content", data_copied, "variables have their initial values", "book/data.md",
		  { "A new map is full of zeros.",
		    "BPF_MAP_UPDATE_ELEM takes a pointer to the key, a u32 that is 0, and one to the value.",
		    "attr: map_fd 0, key 8, value 16, flags 24. The value are the sh_size bytes of the "
		    "section. Freeze afterwards." } },
		{ "data.frozen", constants_frozen, "constants are frozen", "book/data.md",
		  { "The program would load without it, and may be refused where it depends on a constant.",
		    "BPF_MAP_FREEZE is command 22; attr has map_fd at 0.",
		    "bpf(22, {map_fd}, sizeof(attr)), after the map was filled" } },
		{ 0 } },
	.beyond = "pload also changes variables before they are loaded (--set), and rewrites pointers in "
		  "data: loader/objects/, loader/core/object/.",
};
