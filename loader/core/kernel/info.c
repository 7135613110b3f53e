// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Query an object by its descriptor: BPF_OBJ_GET_INFO_BY_FD. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"

int kernel_fd_info(struct sys *sys, int fd, void *info, uint32_t *len)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = *len;
	attr.info.info = attr_pointer(info);
	ret = sys_bpf(sys, BPF_OBJ_GET_INFO_BY_FD, &attr, ATTR_SIZE(info));
	*len = attr.info.info_len;
	return ret;
}
