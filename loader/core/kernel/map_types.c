// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The kernel's requirements for each map type, and the attributes that objects may leave out. */
#include <unistd.h>

#include "loader/core/kernel/steps.h"

/* Two u64: cgroup id and attach type. */
#define CGROUP_STORAGE_KEY 16

/* PERF_MAX_STACK_DEPTH, the default of kernel.perf_event_max_stack. */
#define STACK_DEPTH 127

/* The key of an LPM_TRIE is a u32 and a prefix. */
#define LEAST 8

enum {
	NO_BTF = 1,	/* map_check_btf() refuses BTF types */
	NEEDS_BTF = 2,	/* BTF types of key and value are required: EINVAL without */
	PER_CPU = 4,	/* max_entries 0 means one per possible CPU */
	RING = 8,	/* max_entries is in bytes: a power of two, and whole pages */
	UNBOUNDED = 16,	/* max_entries must be 0 */
};

/*
 * Sizes replace 0; flags are always added, because the type accepts no other value or no other
 * makes sense. See ->map_alloc_check() and ->map_alloc() in kernel/bpf/ (arraymap.c,
 * bpf_local_storage.c, local_storage.c, ringbuf.c, arena.c, stackmap.c, ...), net/core/sock_map.c,
 * net/xdp/xskmap.c.
 */
static const struct map_rule {
	uint32_t key_size, value_size, flags;
	uint8_t is;
} rules[__MAX_BPF_MAP_TYPE] = {
	[BPF_MAP_TYPE_ARRAY] = { 4, 0, 0, 0 },
	[BPF_MAP_TYPE_PROG_ARRAY] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_PERF_EVENT_ARRAY] = { 4, 4, 0, NO_BTF | PER_CPU },
	[BPF_MAP_TYPE_PERCPU_ARRAY] = { 4, 0, 0, 0 },
	[BPF_MAP_TYPE_STACK_TRACE] = { 4, STACK_DEPTH * sizeof(uint64_t), 0, NO_BTF },
	[BPF_MAP_TYPE_CGROUP_ARRAY] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_LPM_TRIE] = { 0, 0, BPF_F_NO_PREALLOC, 0 },
	[BPF_MAP_TYPE_ARRAY_OF_MAPS] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_HASH_OF_MAPS] = { 0, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_DEVMAP] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_SOCKMAP] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_CPUMAP] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_XSKMAP] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_SOCKHASH] = { 0, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_CGROUP_STORAGE] = { CGROUP_STORAGE_KEY, 0, 0, UNBOUNDED },
	[BPF_MAP_TYPE_REUSEPORT_SOCKARRAY] = { 4, 4, 0, 0 },
	[BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE] = { CGROUP_STORAGE_KEY, 0, 0, UNBOUNDED },
	[BPF_MAP_TYPE_QUEUE] = { 0, 0, 0, NO_BTF },
	[BPF_MAP_TYPE_STACK] = { 0, 0, 0, NO_BTF },
	[BPF_MAP_TYPE_SK_STORAGE] = { 4, 0, BPF_F_NO_PREALLOC, NEEDS_BTF | UNBOUNDED },
	[BPF_MAP_TYPE_DEVMAP_HASH] = { 4, 4, 0, NO_BTF },
	[BPF_MAP_TYPE_RINGBUF] = { 0, 0, 0, NO_BTF | RING },
	[BPF_MAP_TYPE_INODE_STORAGE] = { 4, 0, BPF_F_NO_PREALLOC, NEEDS_BTF | UNBOUNDED },
	[BPF_MAP_TYPE_TASK_STORAGE] = { 4, 0, BPF_F_NO_PREALLOC, NEEDS_BTF | UNBOUNDED },
	[BPF_MAP_TYPE_BLOOM_FILTER] = { 0, 0, 0, 0 },
	[BPF_MAP_TYPE_USER_RINGBUF] = { 0, 0, 0, NO_BTF | RING },
	[BPF_MAP_TYPE_CGRP_STORAGE] = { 4, 0, BPF_F_NO_PREALLOC, NEEDS_BTF | UNBOUNDED },
	[BPF_MAP_TYPE_ARENA] = { 0, 0, BPF_F_MMAPABLE, NO_BTF },
	[BPF_MAP_TYPE_INSN_ARRAY] = { 4, sizeof(struct bpf_insn_array_value), 0, 0 },
	[BPF_MAP_TYPE_RHASH] = { 0, 0, BPF_F_NO_PREALLOC, 0 },
};

/* There is no rule for newer types: such maps are created as declared. */
static struct map_rule rule_of(uint32_t type)
{
	const struct map_rule none = { 0 };

	return type < __MAX_BPF_MAP_TYPE ? rules[type] : none;
}

/* Round up to a power of two of whole pages; return @bytes if that needs more than 32 bits. */
static uint32_t ring_size(uint32_t bytes)
{
	uint32_t page = sysconf(_SC_PAGESIZE), size = page;

	while (size < bytes && size <= UINT32_MAX / 2)
		size *= 2;
	return size < bytes ? bytes : size;
}

struct kernel_map map_plan(const struct object_map *map, const struct map_options *o)
{
	const struct map_rule rule = rule_of(map->type);
	struct kernel_map as = {
		.fd = -1,
		.key_size = map->key_size ? map->key_size : rule.key_size,
		.value_size = map->value_size ? map->value_size : rule.value_size,
		.max_entries = map->max_entries,
		.map_flags = map->map_flags | rule.flags,
	};

	if (rule.is & PER_CPU && !as.max_entries)
		as.max_entries = o->nr_possible_cpus;
	if (rule.is & RING)
		as.max_entries = ring_size(as.max_entries);
	return as;
}

/* The object sets the other sizes; 0 if the type has no key or no value. */
struct kernel_map map_least(uint32_t type)
{
	const struct map_rule rule = rule_of(type);
	const bool keyless = type == BPF_MAP_TYPE_QUEUE || type == BPF_MAP_TYPE_STACK ||
			     type == BPF_MAP_TYPE_BLOOM_FILTER || type == BPF_MAP_TYPE_ARENA ||
			     rule.is & RING;
	const bool valueless = type == BPF_MAP_TYPE_ARENA || rule.is & RING;

	return (struct kernel_map){
		.fd = -1,
		.key_size = rule.key_size ? rule.key_size : keyless ? 0 : LEAST,
		.value_size = rule.value_size ? rule.value_size : valueless ? 0 : LEAST,
		.max_entries = rule.is & RING ? ring_size(1) : !(rule.is & UNBOUNDED),
		.map_flags = rule.flags,
	};
}

bool map_takes_btf(uint32_t type)
{
	return !(rule_of(type).is & NO_BTF);
}

bool map_needs_btf(uint32_t type)
{
	return rule_of(type).is & NEEDS_BTF;
}
