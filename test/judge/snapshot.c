// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Snapshots of what a loader has made. A loader may unload everything before it ends, and not wait
 * in between: so the maps and programs that count are those that existed after its last call that
 * could create, fill or freeze one.
 */
#include <errno.h>
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

static void keep_elements(struct seen_map *map, int fd)
{
	const size_t key_size = map->info.key_size, each = key_size + map->info.value_size;
	unsigned char *key = calloc(1, key_size + 1), *next = calloc(1, key_size + 1);
	const size_t room = ELEMENTS_SIZE_MAX / each < ELEMENTS_MAX ? ELEMENTS_SIZE_MAX / each : ELEMENTS_MAX;
	bool more;

	free(map->elements);
	map->nr_elements = 0;
	map->elements = calloc(room < map->info.max_entries ? room : map->info.max_entries, each);
	if (!map->elements || !key || !next)
		abort();
	for (more = next_key(fd, NULL, next); more && map->nr_elements < room &&
	     map->nr_elements < map->info.max_entries; more = next_key(fd, key, next)) {
		unsigned char *element = map->elements + map->nr_elements * each;

		memcpy(element, next, key_size);
		memcpy(key, next, key_size);
		map->nr_elements += kernel_lookup(fd, element, element + key_size);
	}
	free(key);
	free(next);
}

static bool prog_exists(const struct seen_prog *prog)
{
	const int fd = prog->id ? kernel_prog_fd(prog->id) : -1;

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool map_exists(const struct seen_map *map)
{
	const int fd = kernel_map_fd(map->id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A loader that has closed all its programs is no longer of interest: keep what was seen before. */
static bool is_over(const struct seen *seen)
{
	bool progs_before = false, progs_now = false, maps_before = false, maps_now = false;

	for (uint32_t i = 0; i < seen->nr_progs; i++) {
		progs_before |= seen->progs[i].present;
		progs_now |= prog_exists(&seen->progs[i]);
	}
	for (uint32_t i = 0; i < seen->nr_maps; i++) {
		maps_before |= seen->maps[i].present;
		maps_now |= map_exists(&seen->maps[i]);
	}
	return progs_before ? !progs_now : maps_before && !maps_now && !progs_now;
}

void snapshot_take(struct run *run, bool ran)
{
	struct seen *seen = &run->seen;

	if (is_over(seen))
		return;
	for (uint32_t i = 0; i < seen->nr_progs; i++)
		seen->progs[i].present = prog_exists(&seen->progs[i]);
	for (uint32_t i = 0; i < seen->nr_maps; i++) {
		struct seen_map *map = &seen->maps[i];
		const int fd = kernel_map_fd(map->id);

		map->present = fd >= 0;
		if (fd < 0)
			continue;
		map->frozen = kernel_is_frozen(fd);
		if (!ran && has_plain_elements(&map->info))
			keep_elements(map, fd);
		close(fd);
	}
}
