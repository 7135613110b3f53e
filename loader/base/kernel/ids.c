// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find programs, maps, links and BTF in the kernel by id. */
#include <errno.h>
#include <string.h>

#include "loader/base/kernel/kernel_calls.h"
#include "loader/core/kernel/attr.h"

int kernel_next_id(struct sys *sys, int cmd, uint32_t *id)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = *id;
	ret = sys_bpf(sys, cmd, &attr, ATTR_SIZE(next_id));
	if (ret >= 0)
		*id = attr.next_id;
	return ret;
}

int kernel_fd_by_id(struct sys *sys, int cmd, uint32_t id)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;	/* in a union with map_id, link_id and btf_id */
	ret = sys_bpf(sys, cmd, &attr, ATTR_SIZE(prog_id));
	/* bpf_link_by_id(): the link is still being created, which may fail. */
	return ret == -EAGAIN ? -ENOENT : ret;
}

int kernel_task_fd_query(struct sys *sys, pid_t pid, int fd, struct task_fd_info *info)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.task_fd_query.pid = pid;
	attr.task_fd_query.fd = fd;
	attr.task_fd_query.buf = attr_pointer(info->name);
	attr.task_fd_query.buf_len = sizeof(info->name);
	info->name[0] = '\0';
	ret = sys_bpf(sys, BPF_TASK_FD_QUERY, &attr, ATTR_SIZE(task_fd_query.probe_addr));
	info->name[sizeof(info->name) - 1] = '\0';
	info->prog_id = attr.task_fd_query.prog_id;
	info->fd_type = attr.task_fd_query.fd_type;
	info->offset = attr.task_fd_query.probe_offset;
	info->addr = attr.task_fd_query.probe_addr;
	return ret;
}
