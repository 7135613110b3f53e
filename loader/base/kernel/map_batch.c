// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read and write many map elements with one call. */
#include <errno.h>
#include <string.h>

#include "loader/base/kernel/kernel_calls.h"
#include "loader/core/kernel/attr.h"

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
	/* The kernel also sets count on ENOENT, but not necessarily on other errors. */
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
