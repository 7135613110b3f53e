// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bpf(2) in a dry run: descriptors are invented, maps stay empty, the rules of each command apply.
 */
#include <errno.h>
#include <string.h>

#include "loader/observe/dry/dry_internal.h"

static long map_create(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *map;
	int ret = sim_check_map(&dry->fds, attr);

	if (ret < 0)
		return ret;
	ret = dry_fd_new(dry, SIM_MAP, &map);
	if (ret >= 0) {
		map->type = attr->map_type;
		map->key_size = attr->key_size;
		map->value_size = attr->value_size;
		map->max_entries = attr->max_entries;
		map->map_flags = attr->map_flags;
	}
	return ret;
}

static bool is_indexed(const struct dry_fd *map)
{
	return sim_is_array(map->type) ||
	       (sim_kind_of_value(map->type) && map->type != BPF_MAP_TYPE_HASH_OF_MAPS);
}

/* Hash maps are empty; arrays hold zeroes. Only the first CPU's value of a per-CPU array is set. */
static long map_lookup(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = sim_fd_as(&dry->fds, attr->map_fd, SIM_MAP, &code);
	const uint32_t *index = (const uint32_t *)attr->key;

	if (!map)
		return code;
	if (!index || !attr->value)
		return -EFAULT;
	if (!sim_is_array(map->type) || *index >= map->max_entries)
		return -ENOENT;
	memset((void *)attr->value, 0, map->value_size);
	return 0;
}

static long map_update(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = sim_fd_as(&dry->fds, attr->map_fd, SIM_MAP, &code);
	enum sim_kind kind;

	if (!map)
		return code;
	if (map->frozen)
		return -EPERM;
	if (!attr->key || !attr->value)
		return -EFAULT;
	if (is_indexed(map) && *(const uint32_t *)attr->key >= map->max_entries)
		return -E2BIG;
	kind = sim_kind_of_value(map->type);
	if (kind)
		sim_fd_as(&dry->fds, *(const int *)attr->value, kind, &code);
	return code;
}

/*
 * Like generic_map_update_batch() in kernel/bpf/syscall.c: one by one, up to the first one refused.
 */
static long map_update_batch(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = sim_fd_as(&dry->fds, attr->batch.map_fd, SIM_MAP, &code);
	union bpf_attr one = { .map_fd = attr->batch.map_fd };
	uint32_t i;
	long ret = 0;

	if (!map)
		return code;
	for (i = 0; i < attr->batch.count && !ret; i++) {
		one.key = attr->batch.keys + (uint64_t)i * map->key_size;
		one.value = attr->batch.values + (uint64_t)i * map->value_size;
		ret = map_update(dry, &one);
	}
	attr->batch.count = ret ? i - 1 : i;
	return ret;
}

static long map_delete(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = sim_fd_as(&dry->fds, attr->map_fd, SIM_MAP, &code);

	if (!map)
		return code;
	if (map->frozen)
		return -EPERM;
	return sim_is_array(map->type) ? -EINVAL : -ENOENT;
}

static long map_next_key(struct dry *dry, union bpf_attr *attr)
{
	int code;

	return sim_fd_as(&dry->fds, attr->map_fd, SIM_MAP, &code) ? -ENOENT : code;
}

static long map_freeze(struct dry *dry, union bpf_attr *attr)
{
	int code;
	struct dry_fd *map = sim_fd_as(&dry->fds, attr->map_fd, SIM_MAP, &code);

	if (!map)
		return code;
	if (map->frozen)
		return -EBUSY;
	map->frozen = true;
	return 0;
}

/* No object exists, so the iteration ends at once. */
static long map_batch(struct dry *dry, union bpf_attr *attr)
{
	int code;

	if (!sim_fd_as(&dry->fds, attr->batch.map_fd, SIM_MAP, &code))
		return code;
	attr->batch.count = 0;
	return -ENOENT;
}

static long prog_load(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *prog;
	int ret = sim_check_prog(&dry->fds, attr, NULL, NULL);

	if (ret < 0)
		return ret;
	ret = dry_fd_new(dry, SIM_PROG, &prog);
	if (ret >= 0)
		prog->type = attr->prog_type;
	return ret;
}

static long prog_test_run(struct dry *dry, union bpf_attr *attr)
{
	int code;

	if (!sim_fd_as(&dry->fds, attr->test.prog_fd, SIM_PROG, &code))
		return code;
	attr->test.retval = 0;
	attr->test.duration = 0;
	attr->test.data_size_out = 0;
	return 0;
}

/* The info of a map, program or link begins with its type and id, that of BTF with a pointer. */
static long obj_get_info(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *fd = sim_fd_get(&dry->fds, attr->info.bpf_fd);
	char *info = (char *)attr->info.info;

	if (!fd)
		return -EBADF;
	if (fd->kind < SIM_MAP || fd->kind > SIM_LINK)
		return -EINVAL;
	if (!info)
		return -EFAULT;
	memset(info, 0, attr->info.info_len);
	if (fd->kind == SIM_BTF || attr->info.info_len < 2 * sizeof(uint32_t))
		return 0;
	memcpy(info, &fd->type, sizeof(fd->type));
	memcpy(info + sizeof(fd->type), &fd->id, sizeof(fd->id));
	return 0;
}

static long btf_load(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *btf;

	if (!attr->btf)
		return -EFAULT;
	return attr->btf_size ? dry_fd_new(dry, SIM_BTF, &btf) : -EINVAL;
}

static long enable_stats(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *stats;

	if (attr->enable_stats.type != BPF_STATS_RUN_TIME)
		return -EINVAL;
	return dry_fd_new(dry, SIM_STATS, &stats);
}

/* Pinning succeeds at any path, and creates no file. */
static long obj_pin(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *fd = sim_fd_get(&dry->fds, attr->bpf_fd);

	if (!attr->pathname)
		return -EFAULT;
	if (!fd)
		return -EBADF;
	return fd->kind >= SIM_MAP && fd->kind <= SIM_LINK && fd->kind != SIM_BTF ? 0 : -EINVAL;
}

static long prog_bind_map(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *prog = sim_fd_get(&dry->fds, attr->prog_bind_map.prog_fd);
	const struct dry_fd *map = sim_fd_get(&dry->fds, attr->prog_bind_map.map_fd);

	if (!prog || !map)
		return -EBADF;
	return prog->kind == SIM_PROG && map->kind == SIM_MAP && !attr->prog_bind_map.flags ?
		       0 : -EINVAL;
}

/* The only objects are those of this process, and nobody else can know their ids. */
static long nothing_there(struct dry *dry, union bpf_attr *attr)
{
	(void)dry;
	(void)attr;
	return -ENOENT;
}

static long (*const commands[])(struct dry *dry, union bpf_attr *attr) = {
	[BPF_MAP_CREATE] = map_create,
	[BPF_MAP_LOOKUP_ELEM] = map_lookup,
	[BPF_MAP_UPDATE_ELEM] = map_update,
	[BPF_MAP_DELETE_ELEM] = map_delete,
	[BPF_MAP_GET_NEXT_KEY] = map_next_key,
	[BPF_PROG_LOAD] = prog_load,
	[BPF_OBJ_PIN] = obj_pin,
	[BPF_OBJ_GET] = nothing_there,
	[BPF_PROG_TEST_RUN] = prog_test_run,
	[BPF_PROG_GET_NEXT_ID] = nothing_there,
	[BPF_MAP_GET_NEXT_ID] = nothing_there,
	[BPF_BTF_GET_NEXT_ID] = nothing_there,
	[BPF_LINK_GET_NEXT_ID] = nothing_there,
	[BPF_PROG_GET_FD_BY_ID] = nothing_there,
	[BPF_MAP_GET_FD_BY_ID] = nothing_there,
	[BPF_BTF_GET_FD_BY_ID] = nothing_there,
	[BPF_LINK_GET_FD_BY_ID] = nothing_there,
	[BPF_OBJ_GET_INFO_BY_FD] = obj_get_info,
	[BPF_RAW_TRACEPOINT_OPEN] = dry_raw_tracepoint_open,
	[BPF_BTF_LOAD] = btf_load,
	[BPF_TASK_FD_QUERY] = nothing_there,
	[BPF_MAP_FREEZE] = map_freeze,
	[BPF_MAP_LOOKUP_BATCH] = map_batch,
	[BPF_MAP_LOOKUP_AND_DELETE_BATCH] = map_batch,
	[BPF_MAP_UPDATE_BATCH] = map_update_batch,
	[BPF_LINK_CREATE] = dry_link_create,
	[BPF_ITER_CREATE] = dry_iter_create,
	[BPF_ENABLE_STATS] = enable_stats,
	[BPF_PROG_BIND_MAP] = prog_bind_map,
};

long dry_bpf(struct dry *dry, const unsigned long arg[6])
{
	union bpf_attr attr;
	const long size = sim_bpf_begin(&attr, arg);
	long ret;

	if (size < 0)
		return size;
	if (arg[0] >= sizeof(commands) / sizeof(commands[0]) || !commands[arg[0]])
		return -EINVAL;
	ret = commands[arg[0]](dry, &attr);
	memcpy((void *)arg[1], &attr, size);
	return ret;
}
