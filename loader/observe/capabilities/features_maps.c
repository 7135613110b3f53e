// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries map types and flags, each with the smallest map. */
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/observe/capabilities/capabilities_internal.h"
#include "loader/base/kernel/kernel_calls.h"

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

int feature_try_map(struct sys *sys, const struct capability_feature *feature)
{
	const struct kernel_map least = map_least(feature->arg);
	const bool needs_btf = map_needs_btf(feature->arg);
	int btf_fd = needs_btf ? small_btf_load_kind(sys, BTF_KIND_INT) : -1, ret;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = feature->arg;
	attr.key_size = least.key_size;
	attr.value_size = needs_btf ? 4 : least.value_size;	/* the size of its type */
	attr.max_entries = least.max_entries;
	attr.map_flags = least.map_flags;
	if (btf_fd >= 0) {
		attr.btf_fd = btf_fd;
		attr.btf_key_type_id = attr.btf_value_type_id = 1;
	}
	ret = needs_btf && btf_fd < 0 ? btf_fd : create_map(sys, &attr);
	sys_close_fd(sys, &btf_fd);
	return feature_close_new(sys, ret);
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
