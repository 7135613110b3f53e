// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Give an arena its address and its variables (Linux 6.9, kernel/bpf/arena.c). Programs and
 * processes see it at the same address, which mapping it determines; its variables are written
 * through the mapping.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/kernel/kernel_internal.h"

/* Programs use the lower 32 bits of its addresses: arena_map_alloc(). */
#define ARENA_SIZE_MAX (1ull << 32)

static uint64_t arena_size(const struct kernel_map *as)
{
	return (uint64_t)as->max_entries * sysconf(_SC_PAGESIZE);
}

int arena_check(const struct object_map *map, const struct kernel_map *as, struct error *err)
{
	const unsigned long page = sysconf(_SC_PAGESIZE);

	if (arena_size(as) > ARENA_SIZE_MAX) {
		error_set(err, E2BIG,
			  "%u pages of %lu bytes are more than 4 GB", as->max_entries, page);
		return error_hint(err, "the max_entries of an arena is in pages: at most %llu",
				  ARENA_SIZE_MAX / page);
	}
	if (map->data_size > arena_size(as)) {
		error_set(err, E2BIG,
			  "its variables have %u bytes, and its %u pages of %lu bytes hold fewer",
			  map->data_size, as->max_entries, page);
		return error_hint(err, "raise its max_entries");
	}
	if (map->content && as->map_flags & BPF_F_SEGV_ON_FAULT) {
		error_set(err, EINVAL, "its variables cannot be written: BPF_F_SEGV_ON_FAULT is "
			  "among its flags");
		return error_hint(err, "leave the flag out, or let a program initialize them");
	}
	return 0;
}

/*
 * Pages are allocated when they are touched, and a failure is a signal then. Asked for in advance,
 * it is an error.
 */
static int write_content(struct sys *sys, const struct object_map *map, void *arena,
			 struct error *err)
{
	unsigned char *memory = (unsigned char *)arena + object_data_at(map);
	int ret = sys_madvise(sys, memory, map->data_size, MADV_POPULATE_WRITE);

	if (ret < 0)
		return error_set(err, -ret, "madvise for the %u bytes of its variables: %s",
				 map->data_size, error_strerror(-ret));
	memcpy(memory, map->content, map->data_size);
	return 0;
}

int arena_fill(struct sys *sys, const struct object_map *map, const struct kernel_map *as,
	       struct error *err)
{
	const int fixed = map->map_extra ? MAP_FIXED_NOREPLACE : 0;
	const size_t size = arena_size(as);
	int ret = 0;
	long at;

	if (map->map_extra && !map->content)	/* it has its address already */
		return 0;
	at = sys_mmap_at(sys, (void *)(uintptr_t)map->map_extra, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | fixed, as->fd);
	if (sys_failed(at))
		return error_set(err, -at, "mmap of its %zu bytes at 0x%llx: %s", size,
				 (unsigned long long)map->map_extra, error_strerror(-at));
	if (map->content)
		ret = write_content(sys, map, (void *)at, err);
	/* The map keeps address and content. */
	sys_munmap(sys, (void *)at, size);
	return ret;
}
