// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's maps of sockets, and what links are asked for that name many functions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

static bool is_sockmap(const struct fake_fd *fd)
{
	return fd && (fd->map->attr.map_type == BPF_MAP_TYPE_SOCKMAP ||
		      fd->map->attr.map_type == BPF_MAP_TYPE_SOCKHASH);
}

int fake_link_sockets(struct fake_kernel *k, const union bpf_attr *attr)
{
	int code = -EINVAL;
	const struct fake_fd *fd = fake_fd_as(k, attr->link_create.target_fd, FAKE_MAP, &code);

	if (fake_too_old(k, FAKE_NO_SOCKMAP_LINK))
		return -EINVAL;
	return is_sockmap(fd) ? 0 : code ? code : -EINVAL;
}

/* sock_map_get_from_fd() and sock_map_prog_detach(): it says which program goes. */
static long attach(struct fake_kernel *k, union bpf_attr *attr, bool attaches)
{
	int code = -EINVAL;
	struct fake_fd *map = fake_fd_as(k, attr->target_fd, FAKE_MAP, &code),
		       *prog = map ? fake_fd_as(k, attr->attach_bpf_fd, FAKE_PROG, &code) : NULL;

	if (!prog || !is_sockmap(map))
		return code;
	if (!attaches && map->map->sockets_prog != prog->prog)
		return -ENOENT;
	map->map->sockets_prog = attaches ? prog->prog : NULL;
	return 0;
}

long fake_prog_attach(struct fake_kernel *k, union bpf_attr *attr)
{
	return attach(k, attr, true);
}

long fake_prog_detach(struct fake_kernel *k, union bpf_attr *attr)
{
	return attach(k, attr, false);
}

long fake_prog_query(struct fake_kernel *k, union bpf_attr *attr)
{
	int code = -EINVAL;
	const struct fake_fd *map = fake_fd_as(k, attr->query.target_fd, FAKE_MAP, &code);

	if (!is_sockmap(map))
		return code;
	attr->query.prog_cnt = map->map->sockets_prog != NULL;
	return 0;
}
