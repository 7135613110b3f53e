// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Register a struct_ops with the kernel, and unregister it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/objects/struct_ops/struct_ops_internal.h"
#include "loader/core/sys/refused.h"

#define REGISTERED "the kernel reports that a struct with that name is registered"

static const uint32_t key;	/* 0: the map has a single element */

/* In the value, function pointers are program descriptors, or 0. */
static void put_descriptors(const struct ops_value *value, const struct kernel_object *k,
			    unsigned char *bytes)
{
	for (uint32_t i = 0; i < value->nr_slots; i++) {
		const int fd = k->progs[value->slots[i].target].fd;
		const uint64_t word = fd < 0 ? 0 : fd;

		memcpy(bytes + value->slots[i].index, &word, sizeof(word));
	}
}

/*
 * The update registers the struct; with BPF_F_LINK it only prepares it for a link, and fails with
 * EBUSY if that was done before.
 */
static int set_value(const struct struct_ops *ops, const struct kernel_object *k, uint32_t map,
		     struct error *err)
{
	const bool link = ops->obj->maps[map].map_flags & BPF_F_LINK;
	const uint32_t size = ops->maps[map].value_size;
	unsigned char *bytes = malloc(size ? size : 1);
	int ret;

	if (!bytes)
		return error_set(err, ENOMEM, "no memory for its value");
	memcpy(bytes, ops->values[map].bytes, size);
	put_descriptors(&ops->values[map], k, bytes);
	ret = map_update(ops->sys, k->maps[map].fd, &key, bytes, BPF_ANY);
	if (!ret || (link && ret == -EBUSY)) {
		free(bytes);
		return 0;
	}
	error_set(err, -ret, "BPF_MAP_UPDATE_ELEM: %s", error_strerror(-ret));
	error_reason(err, "struct-ops/refused");
	map_update_call(err, k->maps[map].fd, &key, bytes, -ret);
	free(bytes);
	if (ret == -EEXIST)
		error_hint(err, REGISTERED);
	else if (ret == -EINVAL)
		error_hint(err, "the kernel may require a member that is not set, or not accept "
				"one that is");
	return ret;
}

static int create_link(const struct struct_ops *ops, const struct kernel_object *k, uint32_t map,
		       struct error *err)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.map_fd = k->maps[map].fd;
	attr.link_create.attach_type = BPF_STRUCT_OPS;
	ret = sys_bpf(ops->sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.flags));
	if (ret >= 0)
		return ret;
	error_set(err, -ret, "BPF_LINK_CREATE: %s", error_strerror(-ret));
	error_reason(err, "struct-ops/refused");
	sys_error_bpf(err, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.flags), -ret);
	if (ret == -EEXIST)
		error_hint(err, REGISTERED);
	return ret;
}

int struct_ops_attach(const struct struct_ops *ops, const struct kernel_object *k, uint32_t map,
		      int *link_fd, struct error *err)
{
	int ret = set_value(ops, k, map, err);

	*link_fd = -1;
	if (!ret && ops->obj->maps[map].map_flags & BPF_F_LINK) {
		ret = create_link(ops, k, map, err);
		*link_fd = ret < 0 ? -1 : ret;
	}
	if (ret < 0)
		return error_where(err, "map '%s'", ops->obj->maps[map].name);
	return 0;
}

int struct_ops_detach(struct sys *sys, const struct kernel_object *k, uint32_t map,
		      struct error *err)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = k->maps[map].fd;
	attr.key = attr_pointer(&key);
	ret = sys_bpf(sys, BPF_MAP_DELETE_ELEM, &attr, ATTR_SIZE(flags));
	if (ret >= 0)
		return 0;
	error_set(err, -ret, "BPF_MAP_DELETE_ELEM: %s", error_strerror(-ret));
	error_reason(err, "struct-ops/refused");
	return error_where(err, "map '%s'", k->object->maps[map].name);
}
