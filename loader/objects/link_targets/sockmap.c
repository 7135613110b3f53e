// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Programs for the sockets in a map: attached by link since Linux 6.10, by BPF_PROG_ATTACH before.
 */
#include <errno.h>
#include <string.h>

#include "loader/objects/link_targets/targets_internal.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"

/* Leave -EINVAL to the caller: an older kernel has no such links. */
static int link_create(struct sys *sys, const struct target_request *req, struct error *err)
{
	const unsigned int size = ATTR_SIZE(link_create.flags);
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = req->prog_fd;
	attr.link_create.target_fd = req->map_fd;
	attr.link_create.attach_type = req->attach_type;
	ret = sys_bpf(sys, BPF_LINK_CREATE, &attr, size);
	if (ret >= 0 || ret == -EINVAL)
		return ret;
	link_target_failed(sys, req, "BPF_LINK_CREATE", -ret, err);
	sys_error_bpf(err, BPF_LINK_CREATE, &attr, size, -ret);
	return ret;
}

/*
 * Return true if the map has a program of this kind, which BPF_PROG_ATTACH would silently replace.
 * Kernels before Linux 5.18 cannot tell.
 */
static bool is_taken(struct sys *sys, const struct target_request *req)
{
	union bpf_attr attr;
	uint32_t id = 0;

	memset(&attr, 0, sizeof(attr));
	attr.query.target_fd = req->map_fd;
	attr.query.attach_type = req->attach_type;
	attr.query.prog_ids = attr_pointer(&id);
	attr.query.prog_cnt = 1;
	return sys_bpf(sys, BPF_PROG_QUERY, &attr, ATTR_SIZE(query.prog_cnt)) == 0 &&
	       attr.query.prog_cnt;
}

static void fill(union bpf_attr *attr, const struct attached_to_map *to)
{
	memset(attr, 0, sizeof(*attr));
	attr->target_fd = to->map_fd;
	attr->attach_bpf_fd = to->prog_fd;
	attr->attach_type = to->attach_type;
}

static int prog_attach(struct sys *sys, const struct target_request *req,
		       const struct attached_to_map *to, struct error *err)
{
	union bpf_attr attr;
	int ret;

	fill(&attr, to);
	ret = sys_bpf(sys, BPF_PROG_ATTACH, &attr, ATTR_SIZE(attach_flags));
	if (ret >= 0)
		return 0;
	link_target_failed(sys, req, "BPF_PROG_ATTACH", -ret, err);
	sys_error_bpf(err, BPF_PROG_ATTACH, &attr, ATTR_SIZE(attach_flags), -ret);
	return ret;
}

int link_target_bind_map(struct sys *sys, const struct target_request *req, struct attach_set *set,
			 struct error *err)
{
	const struct attached_to_map to = {
		.map_fd = req->map_fd, .prog_fd = req->prog_fd, .attach_type = req->attach_type
	};
	int fd = link_create(sys, req, err), ret;

	if (fd != -EINVAL)
		return fd < 0 ? fd : attach_add_link(sys, set, fd, req->prog, err);
	if (is_taken(sys, req))
		return link_target_failed(sys, req, "BPF_PROG_ATTACH", EBUSY, err);
	ret = attach_add_link(sys, set, -1, req->prog, err);
	if (ret)
		return ret;
	ret = prog_attach(sys, req, &to, err);
	if (ret < 0)
		set->nr--;
	else
		set->list[set->nr - 1].by_map = to;
	return ret;
}
