// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Simulate BPF links in a dry run, which bind a program or a struct_ops map to a target. */
#include <errno.h>

#include "loader/observe/dry/dry_internal.h"

long dry_raw_tracepoint_open(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *link;
	int code;

	if (!sim_fd_as(&dry->fds, attr->raw_tracepoint.prog_fd, SIM_PROG, &code))
		return code;
	code = dry_fd_new(dry, SIM_LINK, &link);
	if (code >= 0)
		link->type = BPF_LINK_TYPE_RAW_TRACEPOINT;
	return code;
}

/*
 * The link type for each attach type, except those of events. Some need an open target descriptor.
 */
static const struct {
	uint8_t type;
	bool by_fd;
} links[__MAX_BPF_ATTACH_TYPE] = {
	[BPF_XDP] = { BPF_LINK_TYPE_XDP, false },
	[BPF_TCX_INGRESS] = { BPF_LINK_TYPE_TCX, false },
	[BPF_TCX_EGRESS] = { BPF_LINK_TYPE_TCX, false },
	[BPF_NETKIT_PRIMARY] = { BPF_LINK_TYPE_NETKIT, false },
	[BPF_NETKIT_PEER] = { BPF_LINK_TYPE_NETKIT, false },
	[BPF_NETFILTER] = { BPF_LINK_TYPE_NETFILTER, false },
	[BPF_TRACE_ITER] = { BPF_LINK_TYPE_ITER, false },
	[BPF_TRACE_RAW_TP] = { BPF_LINK_TYPE_RAW_TRACEPOINT, false },
	[BPF_TRACE_FENTRY] = { BPF_LINK_TYPE_TRACING, false },
	[BPF_TRACE_FEXIT] = { BPF_LINK_TYPE_TRACING, false },
	[BPF_MODIFY_RETURN] = { BPF_LINK_TYPE_TRACING, false },
	[BPF_LSM_MAC] = { BPF_LINK_TYPE_TRACING, false },
	[BPF_TRACE_FENTRY_MULTI] = { BPF_LINK_TYPE_TRACING_MULTI, false },
	[BPF_TRACE_FEXIT_MULTI] = { BPF_LINK_TYPE_TRACING_MULTI, false },
	[BPF_TRACE_FSESSION_MULTI] = { BPF_LINK_TYPE_TRACING_MULTI, false },
	[BPF_TRACE_KPROBE_MULTI] = { BPF_LINK_TYPE_KPROBE_MULTI, false },
	[BPF_TRACE_KPROBE_SESSION] = { BPF_LINK_TYPE_KPROBE_MULTI, false },
	[BPF_TRACE_UPROBE_MULTI] = { BPF_LINK_TYPE_UPROBE_MULTI, false },
	[BPF_TRACE_UPROBE_SESSION] = { BPF_LINK_TYPE_UPROBE_MULTI, false },
	[BPF_SK_MSG_VERDICT] = { BPF_LINK_TYPE_SOCKMAP, true },
	[BPF_SK_SKB_VERDICT] = { BPF_LINK_TYPE_SOCKMAP, true },
	[BPF_SK_SKB_STREAM_PARSER] = { BPF_LINK_TYPE_SOCKMAP, true },
	[BPF_SK_SKB_STREAM_VERDICT] = { BPF_LINK_TYPE_SOCKMAP, true },
	[BPF_SK_LOOKUP] = { BPF_LINK_TYPE_NETNS, true },
	[BPF_FLOW_DISSECTOR] = { BPF_LINK_TYPE_NETNS, true },
};

/* A multi link needs at least one function. */
static bool names_functions(const union bpf_attr *attr, uint8_t type)
{
	switch (type) {
	case BPF_LINK_TYPE_KPROBE_MULTI:
		return attr->link_create.kprobe_multi.cnt &&
		       !attr->link_create.kprobe_multi.syms !=
			       !attr->link_create.kprobe_multi.addrs;
	case BPF_LINK_TYPE_UPROBE_MULTI:
		return attr->link_create.uprobe_multi.cnt &&
		       attr->link_create.uprobe_multi.offsets &&
		       !attr->link_create.uprobe_multi.path ==
			       !!(attr->link_create.uprobe_multi.flags &
				  BPF_F_UPROBE_MULTI_PATH_FD);
	case BPF_LINK_TYPE_TRACING_MULTI:
		return attr->link_create.tracing_multi.cnt && attr->link_create.tracing_multi.ids;
	default:
		return true;
	}
}

/* All other attach types belong to cgroups. */
static long link_elsewhere(struct dry *dry, const union bpf_attr *attr)
{
	const unsigned int at = attr->link_create.attach_type;
	struct dry_fd *link;
	int fd;

	if ((!links[at].type || links[at].by_fd) &&
	    !sim_fd_get(&dry->fds, attr->link_create.target_fd))
		return -EBADF;
	if (!names_functions(attr, links[at].type))
		return -EINVAL;
	fd = dry_fd_new(dry, SIM_LINK, &link);
	if (fd >= 0)
		link->type = links[at].type ? links[at].type : BPF_LINK_TYPE_CGROUP;
	return fd;
}

/* A simulated iterator visits nothing: reading it returns end of file. */
long dry_iter_create(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *iter;
	int code;

	if (!sim_fd_as(&dry->fds, attr->iter_create.link_fd, SIM_LINK, &code))
		return code;
	return dry_fd_new(dry, SIM_TEXT, &iter);
}

/* bpf_struct_ops_link_create() binds a map instead of a program. */
static long link_struct(struct dry *dry, union bpf_attr *attr)
{
	const struct dry_fd *map;
	struct dry_fd *link;
	int code, fd;

	map = sim_fd_as(&dry->fds, attr->link_create.map_fd, SIM_MAP, &code);
	if (!map)
		return code;
	if (map->type != BPF_MAP_TYPE_STRUCT_OPS || attr->link_create.flags)
		return -EINVAL;
	fd = dry_fd_new(dry, SIM_LINK, &link);
	if (fd >= 0)
		link->type = BPF_LINK_TYPE_STRUCT_OPS;
	return fd;
}

/* bpf_perf_link_attach() in kernel/bpf/syscall.c: -EBADF if the descriptor is not a perf event. */
long dry_link_create(struct dry *dry, union bpf_attr *attr)
{
	struct dry_fd *event, *link;
	uint32_t event_id;
	const struct dry_fd *prog;
	int code, fd;

	if (attr->link_create.attach_type >= __MAX_BPF_ATTACH_TYPE)
		return -EINVAL;
	if (attr->link_create.attach_type == BPF_STRUCT_OPS)
		return link_struct(dry, attr);
	prog = sim_fd_as(&dry->fds, attr->link_create.prog_fd, SIM_PROG, &code);
	if (!prog)
		return code;
	if (prog->type != BPF_PROG_TYPE_PERF_EVENT && prog->type != BPF_PROG_TYPE_TRACEPOINT &&
	    (prog->type != BPF_PROG_TYPE_KPROBE || attr->link_create.attach_type != BPF_PERF_EVENT))
		return link_elsewhere(dry, attr);
	if (attr->link_create.attach_type != BPF_PERF_EVENT || attr->link_create.flags)
		return -EINVAL;
	event = sim_fd_as(&dry->fds, attr->link_create.target_fd, SIM_EVENT, &code);
	if (!event)
		return -EBADF;
	code = dry_bind(event, prog);
	if (code < 0)
		return code;
	event_id = event->id;
	fd = dry_fd_new(dry, SIM_LINK, &link);
	if (fd < 0)
		return fd;
	link->type = BPF_LINK_TYPE_PERF_EVENT;
	link->event_id = event_id;
	link->event_fd = attr->link_create.target_fd;
	return fd;
}
