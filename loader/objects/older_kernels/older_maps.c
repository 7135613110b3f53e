// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create a map without the attributes that an older kernel does not know. */
#include <errno.h>
#include <string.h>

#include "loader/objects/older_kernels/compat.h"

/*
 * Attributes that older kernels do not know, newest first. drop() removes one and returns true if
 * it was set.
 */
static bool drop_mmapable(union bpf_attr *attr)	/* Linux 5.5 */
{
	bool had = attr->map_flags & BPF_F_MMAPABLE;

	attr->map_flags &= ~BPF_F_MMAPABLE;
	return had;
}

static bool drop_btf(union bpf_attr *attr)	/* Linux 4.18 */
{
	bool had = attr->btf_fd;

	attr->btf_fd = attr->btf_key_type_id = attr->btf_value_type_id = 0;
	return had;
}

static bool drop_name(union bpf_attr *attr)	/* Linux 4.15; a name with a dot: 5.3 */
{
	bool had = attr->map_name[0];

	memset(attr->map_name, 0, sizeof(attr->map_name));
	return had;
}

static const struct {
	bool (*drop)(union bpf_attr *attr);
	enum map_without without;
	bool data_only;		/* for other maps the object sets it, and it stays */
	const char *name;
} forms[] = {
	{ drop_mmapable, MAP_WITHOUT_MMAPABLE, true, "BPF_F_MMAPABLE" },
	{ drop_btf, MAP_WITHOUT_BTF, false, "the key and value types" },
	{ drop_name, MAP_WITHOUT_NAME, false, "a name" },
};

/*
 * If no attempt succeeds, return the error of the first one: an attribute that can be left out is
 * not the reason for the failure.
 */
int older_map(struct sys *sys, const struct object_map *map, union bpf_attr *attr,
	      unsigned int *without, int code)
{
	int ret = code;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (ret != -EINVAL && ret != -E2BIG && ret != -KERNEL_ENOTSUPP)
			break;
		if (forms[i].data_only && map->kind != OBJECT_MAP_DATA)
			continue;
		if (!forms[i].drop(attr))
			continue;
		*without |= forms[i].without;
		sys_why(sys, "refused: again without %s", forms[i].name);
		ret = sys_bpf(sys, BPF_MAP_CREATE, attr, map_attr_size(attr));
	}
	return ret < 0 ? code : ret;
}
