// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's maps, programs and events of a loader, found by what the object has. */
#include <string.h>
#include <unistd.h>

#include "test/judge/judge.h"

int object_map_named(const struct run *run, const char *name)
{
	for (uint32_t i = 0; i < run->object.nr_maps; i++)
		if (!strcmp(run->object.maps[i].name, name))
			return i;
	return -1;
}

/* A loader may put the name of the object before that of a section, as libbpf does. */
bool name_agrees(const char *name, const char *seen)
{
	const size_t len = strlen(name), has = strlen(seen), kept = BPF_OBJ_NAME_LEN - 1;

	if (*name == '.' && has > len && !strcmp(seen + has - len, name))
		return true;
	return *seen && !strncmp(seen, name, kept) && has == (len < kept ? len : kept);
}

static bool has_sizes(const struct bpf_map_info *info, const struct object_map *map)
{
	return info->type == map->type && info->key_size == map->key_size &&
	       info->value_size == map->value_size && info->max_entries == map->max_entries;
}

/*
 * A map is found by its name, which no loader has to give it; else by its attributes, which differ
 * from those of all other maps of the object. The last one counts: a loader may try several.
 */
const struct seen_map *seen_map_of(const struct run *run, uint32_t i)
{
	const struct object_map *map = &run->object.maps[i];
	const struct seen_map *named = NULL, *same = NULL;

	for (uint32_t s = 0; s < run->seen.nr_maps; s++) {
		if (name_agrees(map->name, run->seen.maps[s].info.name))
			named = &run->seen.maps[s];
		if (has_sizes(&run->seen.maps[s].info, map))
			same = &run->seen.maps[s];
	}
	return named ? named : same;
}

const struct seen_map *seen_map_id(const struct run *run, uint32_t id)
{
	for (uint32_t s = 0; s < run->seen.nr_maps; s++)
		if (run->seen.maps[s].id == id)
			return &run->seen.maps[s];
	return NULL;
}

/* Bound programs count; programs that probe the kernel have few instructions. */
struct seen_prog *seen_load(struct run *run)
{
	struct seen_prog *best = NULL;
	uint32_t bound = 0;

	for (uint32_t b = 0; b < run->seen.nr_binds; b++)
		if (!run->seen.binds[b].error)
			bound = run->seen.binds[b].prog_id;
	for (uint32_t i = 0; i < run->seen.nr_progs; i++) {
		struct seen_prog *prog = &run->seen.progs[i];

		if (bound && prog->id == bound)
			return prog;
		if (!best || prog->nr_insns > best->nr_insns ||
		    (prog->nr_insns == best->nr_insns && (prog->id || !best->id)))
			best = prog;
	}
	return best;
}

const struct seen_event *seen_event_id(const struct run *run, uint64_t id)
{
	for (uint32_t i = 0; id && i < run->seen.nr_events; i++)
		if (run->seen.events[i].id == id)
			return &run->seen.events[i];
	return NULL;
}

/* Return the entry of variable @name in the type of @map, a map of variables. */
static bool find_variable(const struct run *run, const struct object_map *map, const char *name,
			  struct btf_var_view *found)
{
	struct btf_type_view section;

	if (!map->data_type)
		return false;
	section = btf_type(&run->object.btf, map->data_type);
	for (uint32_t i = 0; i < section.vlen; i++) {
		*found = btf_datasec_var(&run->object.btf, &section, i);
		if (!strcmp(btf_type(&run->object.btf, found->type).name, name))
			return true;
	}
	return false;
}

bool variable_now(struct run *run, const char *section, const char *name, uint64_t *value)
{
	const int map = object_map_named(run, section);
	const struct seen_map *seen = map < 0 ? NULL : seen_map_of(run, map);
	unsigned char buf[4096];
	const uint32_t key = 0;
	struct btf_var_view var;
	int fd;
	bool found;

	if (!seen || !find_variable(run, &run->object.maps[map], name, &var) ||
	    seen->info.value_size > sizeof(buf) || var.offset + var.size > seen->info.value_size)
		return false;
	fd = kernel_map_fd(seen->id);
	found = fd >= 0 && kernel_lookup(fd, &key, buf);
	if (fd >= 0)
		close(fd);
	*value = 0;
	memcpy(value, buf + var.offset, var.size < 8 ? var.size : 8);
	return found;
}

bool rate_is_too_high(const struct perf_event_attr *attr)
{
	const bool is_clock = attr->type == PERF_TYPE_SOFTWARE &&
			      (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
			       attr->config == PERF_COUNT_SW_TASK_CLOCK);
	const bool is_hardware = attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_RAW ||
				 attr->type == PERF_TYPE_HW_CACHE;

	if (!is_clock && !is_hardware)
		return false;
	if (attr->freq)
		return attr->sample_freq > 10000;
	return attr->sample_period && attr->sample_period < 100000;
}

bool until_runs(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);

	return !prog || !prog->id || kernel_runs(prog->id) >= 5;
}
