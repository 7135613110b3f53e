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
