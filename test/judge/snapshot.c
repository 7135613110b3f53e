// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Snapshots of what a loader has made. A loader may unload everything before it ends, and not wait
 * in between: so the maps and programs that count are those that existed after its last call that
 * could create, fill or freeze one.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/judge/watch.h"

#define ELEMENTS_MAX 256
#define ELEMENTS_SIZE_MAX (1 << 18)

/* Return true if a lookup copies one value of value_size bytes, or the id of a map or program. */
static bool has_plain_elements(const struct bpf_map_info *info)
{
	switch (info->type) {
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_ARRAY:
	case BPF_MAP_TYPE_LRU_HASH:
	case BPF_MAP_TYPE_LPM_TRIE:
	case BPF_MAP_TYPE_PROG_ARRAY:
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		return (uint64_t)info->key_size + info->value_size <= ELEMENTS_SIZE_MAX;
	}
	return false;
}

static bool next_key(int fd, const void *key, void *next)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = (uintptr_t)key;
	attr.next_key = (uintptr_t)next;
	return syscall(__NR_bpf, BPF_MAP_GET_NEXT_KEY, &attr, sizeof(attr)) == 0;
}

static void keep_elements(struct seen *seen, struct seen_map *map, int fd)
{
	const size_t key_size = map->info.key_size, each = key_size + map->info.value_size;
	unsigned char *key = calloc(1, key_size + 1), *next = calloc(1, key_size + 1);
	const size_t room =
		ELEMENTS_SIZE_MAX / each < ELEMENTS_MAX ? ELEMENTS_SIZE_MAX / each : ELEMENTS_MAX;
	const size_t nr = room < map->info.max_entries ? room : map->info.max_entries;
	bool more;

	seen->kept += map->elements ? 0 : nr * each;
	free(map->elements);
	map->nr_elements = 0;
	map->elements = calloc(nr, each);
	if (!map->elements || !key || !next)
		abort();
	for (more = next_key(fd, NULL, next); more && map->nr_elements < nr;
	     more = next_key(fd, key, next)) {
		unsigned char *element = map->elements + map->nr_elements * each;

		memcpy(element, next, key_size);
		memcpy(key, next, key_size);
		map->nr_elements += kernel_lookup(fd, element, element + key_size);
	}
	free(key);
	free(next);
}

/* --- the holders of a map or a program --- */

static void hold_map(struct seen *seen, uint32_t id)
{
	for (uint32_t i = 0; id && i < seen->nr_maps; i++)
		if (seen->maps[i].id == id)
			seen->maps[i].held = true;
}

static void hold_prog(struct seen *seen, uint32_t id)
{
	for (uint32_t i = 0; id && i < seen->nr_progs; i++)
		if (seen->progs[i].id == id)
			seen->progs[i].held = true;
}

/* Read what a descriptor is of: bpf_map_show_fdinfo() of kernel/bpf/syscall.c. */
static void hold_by_descriptor(struct seen *seen, pid_t tgid, const char *fd)
{
	char path[64], line[128];
	unsigned int id;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.16s", tgid, fd);
	in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "map_id: %u", &id) == 1)
			hold_map(seen, id);
		else if (sscanf(line, "prog_id: %u", &id) == 1)
			hold_prog(seen, id);
	}
	if (in)
		fclose(in);
}

static void hold_by_process(struct seen *seen, pid_t tgid)
{
	static const char kind[] = "anon_inode:bpf";	/* bpf-map, bpf-prog, bpf_link */
	char path[64], target[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", tgid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		const ssize_t len =
			readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		target[len < 0 ? 0 : len] = 0;
		if (!strncmp(target, kind, strlen(kind)))
			hold_by_descriptor(seen, tgid, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

static void hold_by_pins_and_events(struct seen *seen)
{
	for (uint32_t i = 0; i < seen->nr_pins; i++) {
		hold_map(seen, seen->pins[i].map_id);
		hold_prog(seen, seen->pins[i].prog_id);
	}
	for (uint32_t i = 0; i < seen->nr_binds; i++)
		if (!seen->binds[i].error && !seen->binds[i].pending)
			hold_prog(seen, seen->binds[i].prog_id);
}

static void hold_by_progs(struct seen *seen)
{
	for (uint32_t i = 0; i < seen->nr_progs; i++)
		for (uint32_t n = 0; seen->progs[i].held && n < seen->progs[i].nr_insns; n++)
			hold_map(seen, seen->progs[i].map_ids[n]);
}

/* A map of maps or programs holds them. */
static void hold_by_map(struct seen *seen, const struct seen_map *map)
{
	const size_t each = map->info.key_size + map->info.value_size;
	const bool has_maps = map->info.type == BPF_MAP_TYPE_ARRAY_OF_MAPS ||
			      map->info.type == BPF_MAP_TYPE_HASH_OF_MAPS;
	const bool has_progs = map->info.type == BPF_MAP_TYPE_PROG_ARRAY;
	uint32_t id;

	for (uint32_t i = 0; map->held && (has_maps || has_progs) && i < map->nr_elements; i++) {
		memcpy(&id, map->elements + i * each + map->info.key_size, sizeof(id));
		if (has_maps)
			hold_map(seen, id);
		else
			hold_prog(seen, id);
	}
}

/*
 * A map or program that the loader has closed exists as long as the kernel has not freed whatever
 * used it, which it does later: it counts only if somebody else holds it.
 */
static void find_held(struct seen *seen, const struct task *tasks, uint32_t nr_tasks)
{
	for (uint32_t i = 0; i < seen->nr_maps; i++)
		seen->maps[i].held = false;
	for (uint32_t i = 0; i < seen->nr_progs; i++)
		seen->progs[i].held = false;
	for (uint32_t i = 0; i < nr_tasks; i++)
		if (i == 0 || tasks[i].pid == tasks[i].tgid)
			hold_by_process(seen, tasks[i].tgid);
	hold_by_pins_and_events(seen);
	hold_by_progs(seen);
	for (uint32_t i = 0; i < seen->nr_maps; i++)
		hold_by_map(seen, &seen->maps[i]);
	hold_by_progs(seen);
}

/* --- snapshots --- */

/* A loader that has closed all its programs is no longer of interest: keep what was seen before. */
static bool is_over(const struct seen *seen)
{
	bool before = false, now = false, maps_before = false, maps_now = false;

	for (uint32_t i = 0; i < seen->nr_progs; i++) {
		before |= seen->progs[i].present;
		now |= seen->progs[i].held;
	}
	for (uint32_t i = 0; i < seen->nr_maps; i++) {
		maps_before |= seen->maps[i].present;
		maps_now |= seen->maps[i].held;
	}
	return before ? !now : maps_before && !maps_now && !now;
}

static void look_at_map(struct seen *seen, struct seen_map *map, bool ran)
{
	const int fd = map->held ? kernel_map_fd(map->id) : -1;

	map->present = fd >= 0;
	if (fd < 0)
		return;
	map->frozen = kernel_is_frozen(fd);
	if (!ran && has_plain_elements(&map->info) && seen->kept < KEPT_MAX)
		keep_elements(seen, map, fd);
	close(fd);
}

void snapshot_take(struct run *run, const struct task *tasks, uint32_t nr_tasks, bool ran)
{
	struct seen *seen = &run->seen;

	find_held(seen, tasks, nr_tasks);
	if (is_over(seen))
		return;
	/* Whatever only an element of a map holds is found when the elements are known. */
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < seen->nr_maps; i++)
			look_at_map(seen, &seen->maps[i], ran);
		find_held(seen, tasks, nr_tasks);
	}
	for (uint32_t i = 0; i < seen->nr_progs; i++)
		seen->progs[i].present = seen->progs[i].held;
}
