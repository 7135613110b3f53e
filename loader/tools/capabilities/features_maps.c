// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries map types and flags, each with the smallest map. */
#include <string.h>
#include <unistd.h>

#include "loader/kernel/attr.h"
#include "loader/kernel/kernel.h"
#include "loader/tools/capabilities/capabilities_internal.h"

static int create_map(struct sys *sys, union bpf_attr *attr)
{
	return sys_bpf(sys, BPF_MAP_CREATE, attr, ATTR_SIZE(btf_value_type_id));
}

static int create_array(struct sys *sys, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = 1;
	attr.map_flags = flags;
	return create_map(sys, &attr);
}

/* Map types that demand certain sizes or flags; the others accept those of an array. */
static const struct map_form {
	uint32_t type, key_size, value_size, max_entries, flags;
	bool needs_btf;
} map_forms[] = {
	{ BPF_MAP_TYPE_STACK_TRACE, 4, 127 * 8, 1, 0, false },
	{ BPF_MAP_TYPE_LPM_TRIE, 8, 4, 1, BPF_F_NO_PREALLOC, false },
	{ BPF_MAP_TYPE_CGROUP_STORAGE, 16, 4, 0, 0, false },
	{ BPF_MAP_TYPE_QUEUE, 0, 4, 1, 0, false },
	{ BPF_MAP_TYPE_STACK, 0, 4, 1, 0, false },
	{ BPF_MAP_TYPE_BLOOM_FILTER, 0, 4, 1, 0, false },
	{ BPF_MAP_TYPE_SK_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, true },
	{ BPF_MAP_TYPE_INODE_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, true },
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, true },
	{ BPF_MAP_TYPE_CGRP_STORAGE, 4, 4, 0, BPF_F_NO_PREALLOC, true },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 1, BPF_F_MMAPABLE, false },
	{ BPF_MAP_TYPE_INSN_ARRAY, 4, sizeof(struct bpf_insn_array_value), 1, 0, false },
	{ BPF_MAP_TYPE_RHASH, 4, 4, 1, BPF_F_NO_PREALLOC, false },
};

static struct map_form map_form(uint32_t type)
{
	const struct map_form any = { type, 4, 4, 1, 0, false };

	for (size_t i = 0; i < sizeof(map_forms) / sizeof(map_forms[0]); i++)
		if (map_forms[i].type == type)
			return map_forms[i];
	return any;
}

int feature_try_map(struct sys *sys, const struct capability_feature *feature)
{
	const struct map_form form = map_form(feature->arg);
	int btf_fd = form.needs_btf ? small_btf_load_kind(sys, BTF_KIND_INT) : -1, ret;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = form.type;
	attr.key_size = form.key_size;
	attr.value_size = form.value_size;
	attr.max_entries = form.max_entries;
	attr.map_flags = form.flags;
	if (btf_fd >= 0) {
		attr.btf_fd = btf_fd;
		attr.btf_key_type_id = attr.btf_value_type_id = 1;
	}
	ret = form.needs_btf && btf_fd < 0 ? btf_fd : create_map(sys, &attr);
	sys_close_fd(sys, &btf_fd);
	return feature_close_new(sys, ret);
}

int feature_try_ring(struct sys *sys, const struct capability_feature *feature)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = feature->arg;
	attr.max_entries = getpagesize();
	return feature_close_new(sys, create_map(sys, &attr));
}

int feature_try_map_flags(struct sys *sys, const struct capability_feature *feature)
{
	return feature_close_new(sys, create_array(sys, feature->arg));
}

int feature_try_map_of_maps(struct sys *sys, const struct capability_feature *feature)
{
	int inner = create_array(sys, 0), ret;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = feature->arg;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = 1;
	attr.inner_map_fd = inner;
	ret = inner < 0 ? inner : create_map(sys, &attr);
	sys_close_fd(sys, &inner);
	return feature_close_new(sys, ret);
}

/* A pointer into the value of a map (BPF_PSEUDO_MAP_VALUE) is what a global variable becomes. */
int feature_try_global_data(struct sys *sys, const struct capability_feature *feature)
{
	int map_fd = create_array(sys, 0), ret;
	struct code code = { 0 };

	(void)feature;
	code_set64(&code, 1, BPF_PSEUDO_MAP_VALUE, (uint32_t)map_fd);
	code_load(&code, BPF_W, 0, 1, 0);
	code_return(&code, 0);
	ret = map_fd < 0 ? map_fd : feature_load_filter(sys, &code);
	sys_close_fd(sys, &map_fd);
	return ret;
}

int feature_try_batch(struct sys *sys, const struct capability_feature *feature)
{
	int map_fd = create_array(sys, 0), ret;
	uint32_t key = 0, value = 0;

	(void)feature;
	ret = map_fd < 0 ? map_fd : map_update_batch(sys, map_fd, &key, &value, 1);
	sys_close_fd(sys, &map_fd);
	return ret;
}
