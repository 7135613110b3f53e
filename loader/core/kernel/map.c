// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Access map elements: a function for each BPF_MAP_*_ELEM command. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"

int map_lookup(struct sys *sys, int fd, const void *key, void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = attr_pointer(key);
	attr.value = attr_pointer(value);
	return sys_bpf(sys, BPF_MAP_LOOKUP_ELEM, &attr, ATTR_SIZE(flags));
}

static void fill_update(union bpf_attr *attr, int fd, const void *key, const void *value,
			uint64_t flags)
{
	memset(attr, 0, sizeof(*attr));
	attr->map_fd = fd;
	attr->key = attr_pointer(key);
	attr->value = attr_pointer(value);
	attr->flags = flags;
}

int map_update(struct sys *sys, int fd, const void *key, const void *value, uint64_t flags)
{
	union bpf_attr attr;

	fill_update(&attr, fd, key, value, flags);
	return sys_bpf(sys, BPF_MAP_UPDATE_ELEM, &attr, ATTR_SIZE(flags));
}

int map_update_call(struct error *err, int fd, const void *key, const void *value, int code)
{
	union bpf_attr attr;

	fill_update(&attr, fd, key, value, BPF_ANY);
	return sys_error_bpf(err, BPF_MAP_UPDATE_ELEM, &attr, ATTR_SIZE(flags), code);
}

int map_next_key(struct sys *sys, int fd, const void *key, void *next)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = attr_pointer(key);
	attr.next_key = attr_pointer(next);
	return sys_bpf(sys, BPF_MAP_GET_NEXT_KEY, &attr, ATTR_SIZE(next_key));
}

int map_lookup_batch(struct sys *sys, int fd, const void *in, void *out, void *keys, void *values,
		     uint32_t *count)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = fd;
	attr.batch.in_batch = attr_pointer(in);
	attr.batch.out_batch = attr_pointer(out);
	attr.batch.keys = attr_pointer(keys);
	attr.batch.values = attr_pointer(values);
	attr.batch.count = *count;
	ret = sys_bpf(sys, BPF_MAP_LOOKUP_BATCH, &attr, ATTR_SIZE(batch.flags));
	/* The kernel sets count for ENOENT too, but not necessarily for other errors. */
	*count = ret == 0 || ret == -ENOENT ? attr.batch.count : 0;
	return ret;
}

int map_update_batch(struct sys *sys, int fd, const void *keys, const void *values, uint32_t count)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.batch.map_fd = fd;
	attr.batch.keys = attr_pointer(keys);
	attr.batch.values = attr_pointer(values);
	attr.batch.count = count;
	return sys_bpf(sys, BPF_MAP_UPDATE_BATCH, &attr, ATTR_SIZE(batch.flags));
}
