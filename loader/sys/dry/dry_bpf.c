// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf(2) of a dry run: descriptors are invented, maps stay empty, the rules of the call hold. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/sys/dry/dry_internal.h"

/* BPF_COMPLEXITY_LIMIT_INSNS */
#define MAX_INSNS 1000000

#define NOT_LRU (BPF_F_MMAPABLE | BPF_F_NO_PREALLOC)

enum { SOME = -1 };	/* any number but 0 */

/* Rules of each map type: ->map_alloc_check() in kernel/bpf/{hashtab,arraymap,ringbuf,...}.c. */
static const struct map_rule {
	int8_t known, key_size, value_size, max_entries;
	uint32_t bad_flags;
} map_rules[__MAX_BPF_MAP_TYPE] = {
	[BPF_MAP_TYPE_HASH] = { 1, SOME, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_PERCPU_HASH] = { 1, SOME, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_LRU_HASH] = { 1, SOME, SOME, SOME, NOT_LRU },
	[BPF_MAP_TYPE_LRU_PERCPU_HASH] = { 1, SOME, SOME, SOME, NOT_LRU },
	[BPF_MAP_TYPE_ARRAY] = { 1, 4, SOME, SOME, BPF_F_NO_PREALLOC },
	[BPF_MAP_TYPE_PERCPU_ARRAY] = { 1, 4, SOME, SOME, NOT_LRU },
	[BPF_MAP_TYPE_PROG_ARRAY] = { 1, 4, 4, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_PERF_EVENT_ARRAY] = { 1, 4, 4, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_CGROUP_ARRAY] = { 1, 4, 4, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_ARRAY_OF_MAPS] = { 1, 4, 4, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_HASH_OF_MAPS] = { 1, SOME, 4, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_STACK_TRACE] = { 1, 4, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_RINGBUF] = { 1, 0, 0, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_USER_RINGBUF] = { 1, 0, 0, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_LPM_TRIE] = { 1, SOME, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_CGROUP_STORAGE] = { 1, SOME, SOME, 0, NOT_LRU },
	[BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE] = { 1, SOME, SOME, 0, NOT_LRU },
	[BPF_MAP_TYPE_SK_STORAGE] = { 1, 4, SOME, 0, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_INODE_STORAGE] = { 1, 4, SOME, 0, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_TASK_STORAGE] = { 1, 4, SOME, 0, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_CGRP_STORAGE] = { 1, 4, SOME, 0, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_BLOOM_FILTER] = { 1, 0, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_INSN_ARRAY] = { 1, 4, sizeof(struct bpf_insn_array_value), SOME, UINT32_MAX },
	[BPF_MAP_TYPE_RHASH] = { 1, SOME, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_ARENA] = { 1, 0, 0, SOME, BPF_F_NO_PREALLOC },
	[BPF_MAP_TYPE_QUEUE] = { 1, 0, SOME, SOME, BPF_F_MMAPABLE },
	[BPF_MAP_TYPE_STACK] = { 1, 0, SOME, SOME, BPF_F_MMAPABLE },
};

static bool keeps(int8_t rule, uint32_t value)
{
	return rule == SOME ? value != 0 : value == (uint32_t)rule;
}

static bool fits(const struct map_rule *rule, const union bpf_attr *attr)
{
	return keeps(rule->key_size, attr->key_size) && keeps(rule->value_size, attr->value_size) &&
	       keeps(rule->max_entries, attr->max_entries) && !(attr->map_flags & rule->bad_flags);
}

/* bpf_obj_name_cpy(): letters, digits, '_' and '.', and a NUL within the 16 bytes. */
static bool is_name(const char name[BPF_OBJ_NAME_LEN])
{
	size_t i;

	for (i = 0; i < BPF_OBJ_NAME_LEN; i++) {
		if (!name[i])
			return true;
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '.')
			return false;
	}
	return false;
}

/* Check an optional descriptor: 0 means none. */
static int check_fd(struct dry *dry, uint32_t fd, enum dry_kind kind)
{
	int code = 0;

	if (fd)
		dry_fd_as(dry, fd, kind, &code);
	return code;
}

static int check_map(struct dry *dry, const union bpf_attr *attr)
{
	const uint32_t page = sysconf(_SC_PAGESIZE), entries = attr->max_entries;
	const struct map_rule *rule;
	bool of_maps;

	if (attr->map_type == BPF_MAP_TYPE_UNSPEC || attr->map_type >= __MAX_BPF_MAP_TYPE)
		return -EINVAL;
	if (!is_name(attr->map_name))
		return -EINVAL;
	rule = &map_rules[attr->map_type];
	if (rule->known && !fits(rule, attr))
		return -EINVAL;
	if ((attr->map_type == BPF_MAP_TYPE_RINGBUF ||
	     attr->map_type == BPF_MAP_TYPE_USER_RINGBUF) &&
	    (entries & (entries - 1) || entries % page))
		return -EINVAL;
	if (attr->map_type == BPF_MAP_TYPE_STACK_TRACE && attr->value_size % 8)
		return -EINVAL;
	of_maps = attr->map_type == BPF_MAP_TYPE_ARRAY_OF_MAPS ||
		  attr->map_type == BPF_MAP_TYPE_HASH_OF_MAPS;
	if (of_maps && !attr->inner_map_fd)
		return -EBADF;
	if (check_fd(dry, attr->inner_map_fd, DRY_MAP))
		return check_fd(dry, attr->inner_map_fd, DRY_MAP);
	return check_fd(dry, attr->btf_fd, DRY_BTF);
}

static long map_create(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *map;
	int ret = check_map(dry, attr);

	if (ret < 0)
		return ret;
	ret = dry_fd_new(dry, DRY_MAP, &map);
	if (ret >= 0) {
		map->type = attr->map_type;
		map->key_size = attr->key_size;
		map->value_size = attr->value_size;
		map->max_entries = attr->max_entries;
		map->map_flags = attr->map_flags;
	}
	return ret;
}

static bool is_array(const struct dry_fd *map)
{
	return map->type == BPF_MAP_TYPE_ARRAY || map->type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

/* Return the kind of descriptor that the values of this map are. */
static enum dry_kind kind_of_value(const struct dry_fd *map)
{
	switch (map->type) {
	case BPF_MAP_TYPE_PROG_ARRAY:
		return DRY_PROG;
	case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
		return DRY_EVENT;
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		return DRY_MAP;
	default:
		return DRY_FREE;
	}
}

static bool is_indexed(const struct dry_fd *map)
{
	return is_array(map) || (kind_of_value(map) && map->type != BPF_MAP_TYPE_HASH_OF_MAPS);
}

/* Hash maps are empty; arrays hold zeroes. Only the first CPU's value of a per-CPU array is set. */
static long map_lookup(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = dry_fd_as(dry, attr->map_fd, DRY_MAP, &code);
	const uint32_t *index = (const uint32_t *)attr->key;

	if (!map)
		return code;
	if (!index || !attr->value)
		return -EFAULT;
	if (!is_array(map) || *index >= map->max_entries)
		return -ENOENT;
	memset((void *)attr->value, 0, map->value_size);
	return 0;
}

static long map_update(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = dry_fd_as(dry, attr->map_fd, DRY_MAP, &code);
	enum dry_kind kind;

	if (!map)
		return code;
	if (map->frozen)
		return -EPERM;
	if (!attr->key || !attr->value)
		return -EFAULT;
	if (is_indexed(map) && *(const uint32_t *)attr->key >= map->max_entries)
		return -E2BIG;
	kind = kind_of_value(map);
	if (kind)
		dry_fd_as(dry, *(const int *)attr->value, kind, &code);
	return code;
}

/*
 * generic_map_update_batch() in kernel/bpf/syscall.c: one after the other, up to the first refused.
 */
static long map_update_batch(struct dry *dry, union bpf_attr *attr)
{
	int code;
	const struct dry_fd *map = dry_fd_as(dry, attr->batch.map_fd, DRY_MAP, &code);
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
	const struct dry_fd *map = dry_fd_as(dry, attr->map_fd, DRY_MAP, &code);

	if (!map)
		return code;
	if (map->frozen)
		return -EPERM;
	return is_array(map) ? -EINVAL : -ENOENT;
}

static long map_next_key(struct dry *dry, union bpf_attr *attr)
{
	int code;

	return dry_fd_as(dry, attr->map_fd, DRY_MAP, &code) ? -ENOENT : code;
}

static long map_freeze(struct dry *dry, union bpf_attr *attr)
{
	int code;
	struct dry_fd *map = dry_fd_as(dry, attr->map_fd, DRY_MAP, &code);

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

	if (!dry_fd_as(dry, attr->batch.map_fd, DRY_MAP, &code))
		return code;
	attr->batch.count = 0;
	return -ENOENT;
}

/* bpf_prog_load() and resolve_pseudo_ldimm64(): each descriptor in an ldimm64 must be a map. */
static int check_insns(struct dry *dry, const struct bpf_insn *insns, uint32_t nr)
{
	uint32_t i;
	int code, src;

	for (i = 0; i < nr; i++) {
		if (insns[i].code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (i + 1 == nr)
			return -EINVAL;
		src = insns[i].src_reg;
		if ((src == BPF_PSEUDO_MAP_FD || src == BPF_PSEUDO_MAP_VALUE) &&
		    !dry_fd_as(dry, insns[i].imm, DRY_MAP, &code))
			return code;
		i++;
	}
	return 0;
}

static int check_prog(struct dry *dry, const union bpf_attr *attr)
{
	int ret;

	if (!attr->license || !attr->insns)
		return -EFAULT;
	if (attr->insn_cnt == 0 || attr->insn_cnt > MAX_INSNS)
		return -E2BIG;
	if (attr->prog_type == BPF_PROG_TYPE_UNSPEC || attr->prog_type >= __MAX_BPF_PROG_TYPE)
		return -EINVAL;
	if (!is_name(attr->prog_name))
		return -EINVAL;
	ret = check_insns(dry, (const struct bpf_insn *)attr->insns, attr->insn_cnt);
	if (ret == 0 && (attr->func_info_cnt || attr->line_info_cnt))
		dry_fd_as(dry, attr->prog_btf_fd, DRY_BTF, &ret);
	return ret;
}

static long prog_load(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *prog;
	int ret = check_prog(dry, attr);

	if (ret < 0)
		return ret;
	ret = dry_fd_new(dry, DRY_PROG, &prog);
	if (ret >= 0)
		prog->type = attr->prog_type;
	return ret;
}

static long prog_test_run(struct dry *dry, union bpf_attr *attr)
{
	int code;

	if (!dry_fd_as(dry, attr->test.prog_fd, DRY_PROG, &code))
		return code;
	attr->test.retval = 0;
	attr->test.duration = 0;
	attr->test.data_size_out = 0;
	return 0;
}

/* The info of maps, programs and links begins with type and id; that of BTF with a pointer. */
static long obj_get_info(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *fd = dry_fd_get(dry, attr->info.bpf_fd);
	char *info = (char *)attr->info.info;

	if (!fd)
		return -EBADF;
	if (fd->kind < DRY_MAP || fd->kind > DRY_LINK)
		return -EINVAL;
	if (!info)
		return -EFAULT;
	memset(info, 0, attr->info.info_len);
	if (fd->kind == DRY_BTF || attr->info.info_len < 2 * sizeof(uint32_t))
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
	return attr->btf_size ? dry_fd_new(dry, DRY_BTF, &btf) : -EINVAL;
}

static long enable_stats(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *stats;

	if (attr->enable_stats.type != BPF_STATS_RUN_TIME)
		return -EINVAL;
	return dry_fd_new(dry, DRY_STATS, &stats);
}

/* Pinning succeeds at any path, and creates no file. */
static long obj_pin(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *fd = dry_fd_get(dry, attr->bpf_fd);

	if (!attr->pathname)
		return -EFAULT;
	if (!fd)
		return -EBADF;
	return fd->kind >= DRY_MAP && fd->kind <= DRY_LINK && fd->kind != DRY_BTF ? 0 : -EINVAL;
}

static long prog_bind_map(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *prog = dry_fd_get(dry, attr->prog_bind_map.prog_fd);
	const struct dry_fd *map = dry_fd_get(dry, attr->prog_bind_map.map_fd);

	if (!prog || !map)
		return -EBADF;
	return prog->kind == DRY_PROG && map->kind == DRY_MAP && !attr->prog_bind_map.flags ?
		       0 : -EINVAL;
}

/* The only objects are those of this process, and they have no ids that others can know. */
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

/* Fields beyond the given size are 0, as in the kernel; results are written within it. */
long dry_bpf(struct dry *dry, const unsigned long arg[6])
{
	const size_t size = arg[2] < sizeof(union bpf_attr) ? arg[2] : sizeof(union bpf_attr);
	union bpf_attr attr;
	long ret;

	if (arg[0] >= sizeof(commands) / sizeof(commands[0]) || !commands[arg[0]])
		return -EINVAL;
	if (!arg[1])
		return -EFAULT;
	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, (const void *)arg[1], size);
	ret = commands[arg[0]](dry, &attr);
	memcpy((void *)arg[1], &attr, size);
	return ret;
}
