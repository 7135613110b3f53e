// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Query the kernel about a descriptor: BPF_OBJ_GET_INFO_BY_FD. */
#include <errno.h>
#include <inttypes.h>
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

int kernel_prog_info(struct sys *sys, int fd, struct bpf_prog_info *info)
{
	uint32_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return kernel_fd_info(sys, fd, info, &len);
}

/* More than any module or program has; the kernel's own BTF has a few megabytes. */
#define BTF_SIZE_MAX (64u << 20)

int kernel_btf_bytes(struct sys *sys, int fd, uint32_t size, unsigned char **data,
		     struct error *err)
{
	struct bpf_btf_info info = { .btf_size = size };
	uint32_t len = sizeof(info);
	int ret;

	if (size > BTF_SIZE_MAX)
		return error_set(err, EFBIG, "has %" PRIu32 " bytes of types", size);
	*data = malloc(size ? size : 1);
	if (!*data)
		return error_set(err, ENOMEM, "no memory for %" PRIu32 " bytes", size);
	info.btf = attr_pointer(*data);
	ret = kernel_fd_info(sys, fd, &info, &len);
	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	return 0;
}
