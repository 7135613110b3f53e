// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rules of bpf(2) that a simulated kernel keeps for maps and programs. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/observe/simulated/simulated.h"

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

bool sim_is_array(uint32_t map_type)
{
	return map_type == BPF_MAP_TYPE_ARRAY || map_type == BPF_MAP_TYPE_PERCPU_ARRAY;
}

enum sim_kind sim_kind_of_value(uint32_t map_type)
{
	switch (map_type) {
	case BPF_MAP_TYPE_PROG_ARRAY:
		return SIM_PROG;
	case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
		return SIM_EVENT;
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		return SIM_MAP;
	default:
		return SIM_FREE;
	}
}

int sim_check_map(const struct sim_fds *fds, const union bpf_attr *attr)
{
	const uint32_t page = sysconf(_SC_PAGESIZE), entries = attr->max_entries;
	const struct map_rule *rule;
	int code = 0;

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
	if (attr->inner_map_fd || sim_kind_of_value(attr->map_type) == SIM_MAP)
		sim_fd_as(fds, attr->inner_map_fd, SIM_MAP, &code);
	if (!code && attr->btf_fd)
		sim_fd_as(fds, attr->btf_fd, SIM_BTF, &code);
	return code;
}

/* bpf_prog_load() and resolve_pseudo_ldimm64(): each descriptor in an ldimm64 must be a map. */
static int check_insns(const struct sim_fds *fds, const union bpf_attr *attr,
		       sim_check_offset *check, const void *kernel)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)attr->insns;
	int code = 0;

	for (uint32_t i = 0; i < attr->insn_cnt && !code; i++) {
		const int src = insns[i].src_reg;
		const void *map = NULL;

		if (insns[i].code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (i + 1 == attr->insn_cnt)
			return -EINVAL;
		if (src == BPF_PSEUDO_MAP_FD || src == BPF_PSEUDO_MAP_VALUE)
			map = sim_fd_as(fds, insns[i].imm, SIM_MAP, &code);
		i++;
		if (map && check && src == BPF_PSEUDO_MAP_VALUE)
			code = check(kernel, map, insns[i].imm);
	}
	return code;
}

int sim_check_prog(const struct sim_fds *fds, const union bpf_attr *attr, sim_check_offset *check,
		   const void *kernel)
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
	ret = check_insns(fds, attr, check, kernel);
	if (!ret && (attr->prog_btf_fd || attr->func_info_cnt || attr->line_info_cnt))
		sim_fd_as(fds, attr->prog_btf_fd, SIM_BTF, &ret);
	return ret;
}

long sim_bpf_begin(union bpf_attr *attr, const unsigned long arg[6])
{
	const char *given = (const char *)arg[1];
	size_t size = arg[2];

	if (!given)
		return -EFAULT;
	for (; size > sizeof(*attr); size--)
		if (given[size - 1])
			return -E2BIG;
	memset(attr, 0, sizeof(*attr));
	memcpy(attr, given, size);
	return size;
}
