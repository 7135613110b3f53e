// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's maps: lists of elements, searched from the start. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "test/fault/fake_kernel_parts.h"

#define BYTES_MAX (64u << 20)
#define RINGBUF_BUSY_OR_DISCARD (3u << 30)

static bool is_array(uint32_t type)
{
	return sim_is_array(type) || type == BPF_MAP_TYPE_INSN_ARRAY;
}

static bool is_percpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static bool is_ring(uint32_t type)
{
	return type == BPF_MAP_TYPE_RINGBUF;
}

static int check(struct fake_kernel *k, const union bpf_attr *attr)
{
	if (fake_too_old(k, FAKE_MEMLOCK) && k->memlock[0] != UINT64_MAX)
		return -EPERM;
	if (fake_too_old(k, FAKE_NO_INSN_ARRAY) && attr->map_type == BPF_MAP_TYPE_INSN_ARRAY)
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_NAMES) && attr->map_name[0])
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_MMAPABLE) && attr->map_flags & BPF_F_MMAPABLE)
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_MAP_BTF) && attr->btf_fd)
		return -EINVAL;
	return sim_check_map(&k->fds, attr);
}

static void allocate(struct fake_map *map)
{
	const uint32_t size = map->attr.value_size;

	map->stride = size;
	if (is_percpu(map->attr.map_type))
		map->stride = (size + 7) / 8 * 8 * FAKE_POSSIBLE_CPUS;
	if (map->attr.map_type == BPF_MAP_TYPE_ARENA)
		map->values = fake_alloc((size_t)map->attr.max_entries * FAKE_PAGE);
	if (!is_array(map->attr.map_type))
		return;
	map->nr = map->room = map->attr.max_entries;
	map->values = fake_alloc((size_t)map->nr * map->stride);
}

struct fake_map *fake_map_new(struct fake_kernel *k, const union bpf_attr *attr)
{
	struct fake_map *map = fake_grow(NULL, 0, sizeof(*map));

	map->attr = *attr;
	map->id = ++k->last_id;
	allocate(map);
	k->maps = fake_grow(k->maps, k->nr_maps, sizeof(*k->maps));
	k->maps[k->nr_maps++] = map;
	return map;
}

long fake_map_create(struct fake_kernel *k, union bpf_attr *attr)
{
	const struct fake_fd *btf;
	struct fake_fd *fd;
	int nr = check(k, attr);

	if (nr < 0)
		return nr;
	if (is_array(attr->map_type) &&
	    (uint64_t)attr->max_entries * attr->value_size > BYTES_MAX / FAKE_POSSIBLE_CPUS)
		return -ENOMEM;
	nr = fake_fd_new(k, SIM_MAP, &fd);
	if (nr < 0)
		return nr;
	fd->map = fake_map_new(k, attr);
	btf = sim_fd_get(&k->fds, attr->btf_fd);
	fd->map->btf_id = btf ? btf->id : 0;
	return nr;
}

/* The index of @key among the elements, or -1. */
static long place(const struct fake_map *map, const void *key)
{
	const uint32_t size = map->attr.key_size;
	uint32_t i;

	if (is_array(map->attr.map_type)) {
		memcpy(&i, key, sizeof(i));
		return i < map->nr ? (long)i : -1;
	}
	for (i = 0; i < map->nr; i++)
		if (memcmp(map->keys + (size_t)i * size, key, size) == 0)
			return i;
	return -1;
}

unsigned char *fake_map_value(struct fake_map *map, const void *key)
{
	const long at = place(map, key);

	return at < 0 ? NULL : map->values + (size_t)at * map->stride;
}

int fake_map_put(struct fake_map *map, const void *key, const void *value)
{
	long at = place(map, key);

	if (at < 0 && map->nr >= map->attr.max_entries)
		return -E2BIG;
	if (at < 0) {
		at = map->nr;
		map->keys = fake_grow(map->keys, at, map->attr.key_size);
		map->values = fake_grow(map->values, at, map->stride);
		memcpy(map->keys + (size_t)at * map->attr.key_size, key, map->attr.key_size);
		map->nr++;
	}
	memcpy(map->values + (size_t)at * map->stride, value, map->stride);
	return 0;
}

/* A map whose elements user space may read. */
static struct fake_map *readable(struct fake_kernel *k, uint32_t fd, int *code)
{
	struct fake_fd *entry = sim_fd_as(&k->fds, fd, SIM_MAP, code);

	if (!entry)
		return NULL;
	if (!is_ring(entry->map->attr.map_type) && !sim_kind_of_value(entry->map->attr.map_type))
		return entry->map;
	*code = -FAKE_ENOTSUPP;
	return NULL;
}

long fake_map_lookup(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_map *map = readable(k, attr->map_fd, &code);
	const unsigned char *value;

	if (!map)
		return code;
	value = fake_map_value(map, (const void *)attr->key);
	if (!value)
		return -ENOENT;
	memcpy((void *)attr->value, value, map->stride);
	return 0;
}

/* Programs and events are checked but not kept: nothing here would use them. */
static long update_with_fd(struct fake_kernel *k, const struct fake_map *map,
			   const union bpf_attr *attr)
{
	uint32_t index, fd;
	int code;

	memcpy(&index, (const void *)attr->key, sizeof(index));
	memcpy(&fd, (const void *)attr->value, sizeof(fd));
	if (index >= map->attr.max_entries && map->attr.map_type != BPF_MAP_TYPE_HASH_OF_MAPS)
		return -E2BIG;
	sim_fd_as(&k->fds, fd, sim_kind_of_value(map->attr.map_type), &code);
	return code;
}

long fake_map_update(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, attr->map_fd, SIM_MAP, &code);
	struct fake_map *map;
	long at;

	if (!fd)
		return code;
	map = fd->map;
	if (map->frozen)
		return -EPERM;
	if (sim_kind_of_value(map->attr.map_type))
		return update_with_fd(k, map, attr);
	if (is_ring(map->attr.map_type))
		return -FAKE_ENOTSUPP;
	at = place(map, (const void *)attr->key);
	if (at < 0 && attr->flags & BPF_EXIST)
		return -ENOENT;
	if (at >= 0 && attr->flags & BPF_NOEXIST)
		return -EEXIST;
	if (at < 0 && is_array(map->attr.map_type))
		return -E2BIG;
	return fake_map_put(map, (const void *)attr->key, (const void *)attr->value);
}

long fake_map_update_batch(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, attr->batch.map_fd, SIM_MAP, &code);
	union bpf_attr one = { .map_fd = attr->batch.map_fd };
	uint32_t i;
	long ret = 0;

	if (fake_too_old(k, FAKE_NO_BATCH))
		return -EINVAL;
	if (!fd)
		return code;
	for (i = 0; i < attr->batch.count && !ret; i++) {
		one.key = attr->batch.keys + (uint64_t)i * fd->map->attr.key_size;
		one.value = attr->batch.values + (uint64_t)i * fd->map->stride;
		ret = fake_map_update(k, &one);
	}
	attr->batch.count = ret ? i - 1 : i;
	return ret;
}

long fake_map_delete(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_map *map = readable(k, attr->map_fd, &code);
	const uint32_t key_size = map ? map->attr.key_size : 0;
	size_t behind;
	long at;

	if (!map)
		return code;
	if (map->frozen)
		return -EPERM;
	if (is_array(map->attr.map_type))
		return -EINVAL;
	at = place(map, (const void *)attr->key);
	if (at < 0)
		return -ENOENT;
	behind = --map->nr - at;
	memmove(map->keys + at * key_size, map->keys + (at + 1) * key_size, behind * key_size);
	memmove(map->values + at * map->stride, map->values + (at + 1) * map->stride,
		behind * map->stride);
	return 0;
}

static void copy_key(const struct fake_map *map, uint32_t i, void *key)
{
	if (is_array(map->attr.map_type))
		memcpy(key, &i, sizeof(i));
	else
		memcpy(key, map->keys + (size_t)i * map->attr.key_size, map->attr.key_size);
}

/*
 * After a key that has disappeared, the kernel starts over, and so does this, because place()
 * returns -1.
 */
long fake_map_next_key(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_map *map = readable(k, attr->map_fd, &code);
	long next;

	if (!map)
		return code;
	next = attr->key ? place(map, (const void *)attr->key) + 1 : 0;
	if (next >= map->nr)
		return -ENOENT;
	copy_key(map, next, (void *)attr->next_key);
	return 0;
}

/* The cursor is the number of elements returned so far. */
long fake_map_batch(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_map *map = readable(k, attr->batch.map_fd, &code);
	uint32_t first = 0, i;

	if (fake_too_old(k, FAKE_NO_BATCH))
		return -EINVAL;
	if (!map)
		return code;
	if (map->attr.map_type == BPF_MAP_TYPE_STACK_TRACE)
		return -FAKE_ENOTSUPP;
	if (attr->batch.in_batch)
		memcpy(&first, (const void *)attr->batch.in_batch, sizeof(first));
	for (i = 0; i < attr->batch.count && first + i < map->nr; i++) {
		copy_key(map, first + i, (char *)attr->batch.keys + (size_t)i * map->attr.key_size);
		memcpy((char *)attr->batch.values + (size_t)i * map->stride,
		       map->values + (size_t)(first + i) * map->stride, map->stride);
	}
	attr->batch.count = i;
	first += i;
	memcpy((void *)attr->batch.out_batch, &first, sizeof(first));
	return first >= map->nr ? -ENOENT : 0;
}

long fake_map_freeze(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, attr->map_fd, SIM_MAP, &code);

	if (!fd)
		return code;
	if (fake_too_old(k, FAKE_NO_FREEZE))
		return -EINVAL;
	if (fd->map->frozen)
		return -EBUSY;
	fd->map->frozen = true;
	return 0;
}

static long mmap_ringbuf(struct fake_kernel *k, struct fake_map *map, const unsigned long arg[6])
{
	struct fake_mapping m = { .len = arg[1], .owned = true, .map = map };
	const bool consumer = arg[5] == 0;
	const size_t limit = consumer ? FAKE_PAGE : FAKE_PAGE + 2 * (size_t)map->attr.max_entries;

	if (arg[5] > FAKE_PAGE || arg[1] > limit)
		return -EINVAL;
	if (!consumer && arg[2] & PROT_WRITE)
		return -EPERM;
	m.addr = fake_alloc(arg[1]);
	if (consumer)
		map->consumer = m.addr;
	else
		map->producer = m.addr;
	return fake_map_memory(k, &m);
}

long fake_map_mmap(struct fake_kernel *k, struct fake_map *map, const unsigned long arg[6])
{
	struct fake_mapping m = { .addr = map->values, .len = arg[1] };

	if (!(arg[3] & MAP_SHARED))
		return -EINVAL;
	if (is_ring(map->attr.map_type))
		return mmap_ringbuf(k, map, arg);
	if (!(map->attr.map_flags & BPF_F_MMAPABLE) || !map->values)
		return -FAKE_ENOTSUPP;
	if (map->frozen && arg[2] & PROT_WRITE)
		return -EPERM;
	if (map->attr.map_type == BPF_MAP_TYPE_ARENA)
		return arg[1] == (size_t)map->attr.max_entries * FAKE_PAGE ?
			       fake_map_memory(k, &m) : -EINVAL;
	if (arg[5] || arg[1] > (size_t)map->nr * map->stride + FAKE_PAGE - 1)
		return -EINVAL;
	return fake_map_memory(k, &m);
}

/*
 * The positions are at the start of the two mappings, and the data is one page after the
 * producer's.
 */
static uint64_t position(const unsigned char *page)
{
	return __atomic_load_n((const uint64_t *)page, __ATOMIC_ACQUIRE);
}

bool fake_ringbuf_ready(const struct fake_map *map)
{
	return map->consumer && map->producer && position(map->consumer) != position(map->producer);
}

bool fake_ringbuf_push(struct fake_map *map, const void *data, uint32_t size)
{
	const uint32_t ring = map->attr.max_entries, step = (8 + size + 7) & ~7u;
	uint64_t pos;
	uint32_t i;

	if (!map->consumer || !map->producer || size & RINGBUF_BUSY_OR_DISCARD)
		return false;
	pos = position(map->producer);
	if (pos + step - position(map->consumer) > ring)
		return false;
	for (i = 0; i < step; i++) {
		const uint32_t header[2] = { size };
		const unsigned char byte = i < 8 ? ((const unsigned char *)header)[i] :
					   i - 8 < size ? ((const unsigned char *)data)[i - 8] : 0;
		const size_t at = FAKE_PAGE + ((pos + i) & (ring - 1));

		map->producer[at] = map->producer[at + ring] = byte;
	}
	__atomic_store_n((uint64_t *)map->producer, pos + step, __ATOMIC_RELEASE);
	return true;
}
