// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs for the sockets in a map: by link since Linux 6.10, before by BPF_PROG_ATTACH. */
#include <errno.h>
#include <string.h>

#include "loader/attach/point.h"
#include "loader/kernel/attr.h"

static int link_create(struct sys *sys, const struct point_request *req)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = req->prog_fd;
	attr.link_create.target_fd = req->map_fd;
	attr.link_create.attach_type = req->attach_type;
	return sys_bpf(sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.flags));
}

/*
 * Whether the map has a program of this kind: attaching in the old way would replace it without a
 * word. Linux 5.18; an older one does not say.
 */
static bool is_taken(struct sys *sys, const struct point_request *req)
{
	union bpf_attr attr;
	uint32_t id;

	memset(&attr, 0, sizeof(attr));
	attr.query.target_fd = req->map_fd;
	attr.query.attach_type = req->attach_type;
	attr.query.prog_ids = attr_pointer(&id);
	attr.query.prog_cnt = 1;
	return sys_bpf(sys, BPF_PROG_QUERY, &attr, ATTR_SIZE(query.prog_cnt)) == 0 &&
	       attr.query.prog_cnt;
}

static int prog_attach(struct sys *sys, int cmd, int map_fd, int prog_fd, uint32_t type)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.target_fd = map_fd;
	attr.attach_bpf_fd = prog_fd;
	attr.attach_type = type;
	return sys_bpf(sys, cmd, &attr, ATTR_SIZE(attach_flags));
}

int point_bind_map(struct sys *sys, const struct point_request *req, struct attach_set *set,
		   struct error *err)
{
	struct attachment *a;
	int fd = link_create(sys, req), ret;

	if (fd != -EINVAL)
		return fd < 0 ? point_failed(sys, req, "BPF_LINK_CREATE", -fd, err) :
				attach_keep_link(sys, set, fd, req->prog, err);
	if (is_taken(sys, req))
		return point_failed(sys, req, "BPF_PROG_ATTACH", EBUSY, err);
	ret = attach_keep_link(sys, set, -1, req->prog, err);
	if (ret)
		return ret;
	ret = prog_attach(sys, BPF_PROG_ATTACH, req->map_fd, req->prog_fd, req->attach_type);
	if (ret < 0) {
		set->nr--;
		return point_failed(sys, req, "BPF_PROG_ATTACH", -ret, err);
	}
	a = &set->list[set->nr - 1];
	a->by_map = (struct attached_to_map){
		.map_fd = req->map_fd, .prog_fd = req->prog_fd, .attach_type = req->attach_type
	};
	return 0;
}

int attach_leave_map(struct sys *sys, struct attachment *a)
{
	const struct attached_to_map by = a->by_map;

	a->by_map = (struct attached_to_map){ 0 };
	if (!by.map_fd)
		return 0;
	return prog_attach(sys, BPF_PROG_DETACH, by.map_fd, by.prog_fd, by.attach_type);
}
