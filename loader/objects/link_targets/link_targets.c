// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of link targets, and binding a program to its target with BPF_LINK_CREATE. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/link_targets/targets_internal.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"

#define ANY UINT32_MAX

#define BY_SOCKET \
	"is attached to a socket by the process that owns the socket", \
		"use setsockopt(SO_ATTACH_BPF); pload load only loads it"
#define BY_MAP \
	"is attached by storing it in a map", \
		"store it with bpftool map update ... value pinned; pload load --pin pins it"
#define BY_ROUTE \
	"is attached to a route, through netlink", \
		"use ip route add ... encap bpf; pload load --pin pins it"

/*
 * The program types accepted by link_create() in kernel/bpf/syscall.c. The first matching row
 * counts, so rows with an attach type come before ANY.
 */
static const struct link_target targets[] = {
	{ BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, "xdp/devmap", TARGET_NONE, false, 0, 0, BY_MAP },
	{ BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP, "xdp/cpumap", TARGET_NONE, false, 0, 0, BY_MAP },
	{ BPF_PROG_TYPE_XDP, ANY, "xdp", TARGET_DEVICE, false, 5, 9, NULL, NULL },
	{ BPF_PROG_TYPE_SCHED_CLS, BPF_NETKIT_PRIMARY, "netkit primary", TARGET_DEVICE, false, 6, 7,
	  NULL, NULL },
	{ BPF_PROG_TYPE_SCHED_CLS, BPF_NETKIT_PEER, "netkit peer", TARGET_DEVICE, false, 6, 7, NULL,
	  NULL },
	{ BPF_PROG_TYPE_SCHED_CLS, ANY, "tcx", TARGET_DEVICE, false, 6, 6, NULL, NULL },
	{ BPF_PROG_TYPE_SCHED_ACT, ANY, "tc action", TARGET_NONE, false, 0, 0,
	  "is an action of a tc filter, which has no links",
	  "use SEC(\"tcx/ingress\"), which has" },
	{ BPF_PROG_TYPE_CGROUP_SKB, ANY, "cgroup skb", TARGET_CGROUP, false, 5, 7, NULL, NULL },
	{ BPF_PROG_TYPE_CGROUP_SOCK, ANY, "cgroup sock", TARGET_CGROUP, false, 5, 7, NULL, NULL },
	{ BPF_PROG_TYPE_CGROUP_SOCK_ADDR, ANY, "cgroup address", TARGET_CGROUP, false, 5, 7, NULL,
	  NULL },
	{ BPF_PROG_TYPE_SOCK_OPS, ANY, "sockops", TARGET_CGROUP, false, 5, 7, NULL, NULL },
	{ BPF_PROG_TYPE_CGROUP_SYSCTL, ANY, "cgroup sysctl", TARGET_CGROUP, false, 5, 7, NULL,
	  NULL },
	{ BPF_PROG_TYPE_CGROUP_SOCKOPT, ANY, "cgroup sockopt", TARGET_CGROUP, false, 5, 7, NULL,
	  NULL },
	{ BPF_PROG_TYPE_CGROUP_DEVICE, ANY, "cgroup device", TARGET_CGROUP, false, 5, 7, NULL,
	  NULL },
	{ BPF_PROG_TYPE_LSM, BPF_LSM_CGROUP, "lsm_cgroup", TARGET_CGROUP, false, 6, 0, NULL, NULL },
	{ BPF_PROG_TYPE_LSM, ANY, "lsm", TARGET_HOOK, true, 5, 7, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, "iter", TARGET_ITER, false, 5, 8, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "tp_btf", TARGET_HOOK, true, 5, 5, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY_MULTI, "fentry.multi", TARGET_FUNCTIONS, true,
	  7, 2, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT_MULTI, "fexit.multi", TARGET_FUNCTIONS, true,
	  7, 2, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION_MULTI, "fsession.multi", TARGET_FUNCTIONS, true,
	  7, 2, NULL, NULL },
	{ BPF_PROG_TYPE_TRACING, ANY, "tracing", TARGET_HOOK, true, 5, 5, NULL, NULL },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT, ANY, "raw tracepoint", TARGET_TRACEPOINT, true, 4, 17, NULL,
	  NULL },
	{ BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, ANY, "raw tracepoint", TARGET_TRACEPOINT, true, 5,
	  2, NULL, NULL },
	{ BPF_PROG_TYPE_FLOW_DISSECTOR, ANY, "flow_dissector", TARGET_NETNS, false, 5, 8, NULL,
	  NULL },
	{ BPF_PROG_TYPE_SK_LOOKUP, ANY, "sk_lookup", TARGET_NETNS, false, 5, 9, NULL, NULL },
	{ BPF_PROG_TYPE_NETFILTER, ANY, "netfilter", TARGET_NONE, false, 0, 0,
	  "is attached to a netfilter hook, which pload does not support",
	  "pload load only loads it" },
	{ BPF_PROG_TYPE_SK_SKB, 0, "sk_skb", TARGET_NONE, false, 0, 0,
	  "does not say what it does with the sockets in a map",
	  "use SEC(\"sk_skb/stream_verdict\"), SEC(\"sk_skb/stream_parser\"), "
	  "SEC(\"sk_skb/verdict\")" },
	{ BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_VERDICT, "sk_skb/verdict", TARGET_MAP, false, 5, 13,
	  NULL, NULL },
	{ BPF_PROG_TYPE_SK_SKB, ANY, "sk_skb", TARGET_MAP, false, 4, 14, NULL, NULL },
	{ BPF_PROG_TYPE_SK_MSG, ANY, "sk_msg", TARGET_MAP, false, 4, 17, NULL, NULL },
	{ BPF_PROG_TYPE_SOCKET_FILTER, ANY, "socket", TARGET_NONE, false, 0, 0, BY_SOCKET },
	{ BPF_PROG_TYPE_SK_REUSEPORT, ANY, "sk_reuseport", TARGET_NONE, false, 0, 0, BY_SOCKET },
	{ BPF_PROG_TYPE_LWT_IN, ANY, "lwt_in", TARGET_NONE, false, 0, 0, BY_ROUTE },
	{ BPF_PROG_TYPE_LWT_OUT, ANY, "lwt_out", TARGET_NONE, false, 0, 0, BY_ROUTE },
	{ BPF_PROG_TYPE_LWT_XMIT, ANY, "lwt_xmit", TARGET_NONE, false, 0, 0, BY_ROUTE },
	{ BPF_PROG_TYPE_LWT_SEG6LOCAL, ANY, "lwt_seg6local", TARGET_NONE, false, 0, 0, BY_ROUTE },
	{ BPF_PROG_TYPE_LIRC_MODE2, ANY, "lirc_mode2", TARGET_NONE, false, 0, 0,
	  "is attached to an infrared receiver, which has no links",
	  "use ir-keytable; pload load only loads it" },
	{ BPF_PROG_TYPE_EXT, ANY, "freplace", TARGET_HOOK, true, 5, 6, NULL, NULL },
	{ BPF_PROG_TYPE_STRUCT_OPS, ANY, "struct_ops", TARGET_STRUCT_OPS, false, 6, 4, NULL, NULL },
	{ BPF_PROG_TYPE_SYSCALL, ANY, "syscall", TARGET_NONE, false, 0, 0,
	  "is run by BPF_PROG_TEST_RUN, not attached", "pload load only loads it" },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, "kprobe.multi", TARGET_FUNCTIONS, true,
	  5, 18, NULL, NULL },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_SESSION, "kprobe.session", TARGET_FUNCTIONS, true,
	  6, 10, NULL, NULL },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, "uprobe.multi", TARGET_FUNCTIONS, true,
	  6, 6, NULL, NULL },
	{ BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_SESSION, "uprobe.session", TARGET_FUNCTIONS, true,
	  6, 13, NULL, NULL },
};

const struct link_target *link_target_find(uint32_t prog_type, uint32_t attach_type)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (targets[i].prog_type == prog_type &&
		    (targets[i].attach_type == attach_type || targets[i].attach_type == ANY))
			return &targets[i];
	return NULL;
}

/* SEC("tc") has no direction, unlike SEC("tcx/ingress"). */
static bool lacks_direction(const struct target_request *req)
{
	return req->target->prog_type == BPF_PROG_TYPE_SCHED_CLS && !req->attach_type;
}

static int no_target(const struct target_request *req, struct error *err)
{
	static const struct {
		const char *kind, *hint;
	} missing[] = {
		[TARGET_DEVICE] = { "a network device",
				   "use --dev=lo, or another device from ip link" },
		[TARGET_CGROUP] = { "a cgroup",
				   "use --cgroup=/sys/fs/cgroup for all, or a directory below it" },
		[TARGET_TRACEPOINT] = { "a tracepoint", "SEC(\"raw_tp/sched_switch\")" },
	};

	error_set(err, EINVAL, "%s is attached to %s, but none is given", req->target->name,
		  missing[req->target->kind].kind);
	error_reason(err, "attach/no-target");
	return error_hint(err, "%s", missing[req->target->kind].hint);
}

int link_target_check(const struct target_request *req, struct error *err)
{
	const struct target_options *o = req->options;
	const enum target_kind kind = req->target->kind;

	if (kind == TARGET_NONE) {
		error_set(err, ENOTSUP, "a program of SEC(\"%s\") %s", req->target->name,
			  req->target->missing);
		error_reason(err, "attach/no-link");
		return error_hint(err,
				  "%s; select one of several with --prog=NAME", req->target->hint);
	}
	if ((kind == TARGET_DEVICE && !o->device) ||
	    (kind == TARGET_CGROUP && !o->cgroup) ||
	    (kind == TARGET_TRACEPOINT && !req->section_target))
		return no_target(req, err);
	if (lacks_direction(req) && !o->has_direction) {
		error_set(err, EINVAL, "the section name lacks ingress or egress");
		error_reason(err, "attach/no-target");
		return error_hint(err, "use --direction=ingress, or SEC(\"tcx/ingress\")");
	}
	return link_target_cookie_check(req->target, req->has_cookie, err);
}

void link_target_text(const struct target_request *req, char *text, size_t size)
{
	const struct target_options *o = req->options;
	const char *name = req->target->name;

	switch (req->target->kind) {
	case TARGET_DEVICE:
		if (req->target->attach_type == ANY &&
		    req->target->prog_type == BPF_PROG_TYPE_SCHED_CLS) {
			const uint32_t type =
				lacks_direction(req) ? o->direction : req->attach_type;

			name = type == BPF_TCX_EGRESS ? "tcx egress" : "tcx ingress";
		}
		snprintf(text, size, "%s (%s)", o->device, name);
		return;
	case TARGET_CGROUP:
		snprintf(text, size, "%s (%s)", o->cgroup, name);
		return;
	case TARGET_NETNS:
		snprintf(text, size, "this netns (%s)", name);
		return;
	case TARGET_TRACEPOINT:
		snprintf(text, size, "%s (%s)", req->section_target, name);
		return;
	case TARGET_STRUCT_OPS:
		snprintf(text, size, "its struct (%s)", name);
		return;
	case TARGET_MAP:
		snprintf(text, size, "map '%s' (%s)", req->map ? req->map : "", name);
		return;
	case TARGET_FUNCTIONS:
		if (req->nr_functions) {
			snprintf(text, size, "%s (%s, %u function%s)",
				 o->functions ? o->functions : req->section_target, name,
				 req->nr_functions, req->nr_functions == 1 ? "" : "s");
			return;
		}
		snprintf(text, size, "%s (%s)",
			 o->functions ? o->functions : req->section_target, name);
		return;
	case TARGET_ITER:
		if (req->map) {
			snprintf(text, size, "%s of map '%s' (%s)", req->section_target,
				 req->map, name);
			return;
		}
		__attribute__((fallthrough));
	default:
		snprintf(text, size, "%s (%s)",
			 req->section_target ? req->section_target : "its hook", name);
	}
}

/* Open the directory or file of the target. */
static int open_target(struct sys *sys, const char *option, const char *path, int flags,
		       struct error *err)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | flags);

	if (fd >= 0)
		return fd;
	error_set(err, -fd, "%s: %s", path, error_strerror(-fd));
	error_where(err, "%s", option);
	error_reason(err, "attach/no-target");
	if (flags & O_DIRECTORY)
		return error_hint(
			err, "cgroups are directories below a cgroup2 mount, such as "
			     "/sys/fs/cgroup");
	return err->code;
}

/* @info describes what the iterator visits, and @attr points to it. */
static int fill_iterator(struct sys *sys, const struct target_request *req, union bpf_attr *attr,
			int *fd, union bpf_iter_link_info *info, struct error *err)
{
	int ret = -1;

	if (req->options->cgroup && link_target_takes_cgroup(req->target, req->section_target)) {
		ret = open_target(sys, "--cgroup", req->options->cgroup, O_DIRECTORY, err);
		if (ret < 0)
			return ret;
	}
	*fd = ret;
	if (!iter_target_info(req, ret, info))
		return 0;
	attr->link_create.iter_info = attr_pointer(info);
	attr->link_create.iter_info_len = sizeof(*info);
	return 0;
}

/* Fill in the target of the link. *@fd and @info must stay valid until the link is created. */
static int fill_target(struct sys *sys, const struct target_request *req, union bpf_attr *attr,
		       int *fd, union bpf_iter_link_info *info, struct error *err)
{
	const struct target_options *o = req->options;
	int ret = 0;

	switch (req->target->kind) {
	case TARGET_DEVICE:
		ret = target_device(sys, o->device, err);
		if (ret > 0)
			attr->link_create.target_ifindex = ret;
		if (req->target->prog_type == BPF_PROG_TYPE_XDP)
			attr->link_create.flags = o->xdp_flags;
		if (lacks_direction(req))
			attr->link_create.attach_type = o->direction;
		return ret < 0 ? ret : 0;
	case TARGET_CGROUP:
		ret = open_target(sys, "--cgroup", o->cgroup, O_DIRECTORY, err);
		break;
	case TARGET_NETNS:
		ret = open_target(sys, "the network namespace", "/proc/self/ns/net", 0, err);
		break;
	case TARGET_ITER:
		return fill_iterator(sys, req, attr, fd, info, err);
	default:
		attr->link_create.tracing.cookie = req->cookie;
		return 0;
	}
	if (ret < 0)
		return ret;
	*fd = ret;
	attr->link_create.target_fd = ret;
	return 0;
}

/* Pass the size up to the last field used: older kernels accept what they know. */
static unsigned int size_of(const struct target_request *req, const union bpf_attr *attr)
{
	if (req->target->kind == TARGET_ITER)
		return attr->link_create.iter_info ? ATTR_SIZE(link_create.iter_info_len) :
						     ATTR_SIZE(link_create.flags);
	return req->cookie ? ATTR_SIZE(link_create.tracing.cookie) : ATTR_SIZE(link_create.flags);
}

/*
 * Before Linux 5.19, the only way to attach raw tracepoint and tracing programs (@name NULL: to the
 * hook they were loaded for).
 */
static int raw_tracepoint_open(struct sys *sys, const struct target_request *req, const char *name,
			       struct error *err)
{
	const unsigned int size = req->cookie ? ATTR_SIZE(raw_tracepoint.cookie) :
						ATTR_SIZE(raw_tracepoint.prog_fd);
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = attr_pointer(name);
	attr.raw_tracepoint.prog_fd = req->prog_fd;
	attr.raw_tracepoint.cookie = req->cookie;
	fd = sys_bpf(sys, BPF_RAW_TRACEPOINT_OPEN, &attr, size);
	if (fd < 0 && err) {
		link_target_failed(sys, req, "BPF_RAW_TRACEPOINT_OPEN", -fd, err);
		sys_error_bpf(err, BPF_RAW_TRACEPOINT_OPEN, &attr, size, -fd);
	}
	return fd;
}

static int link_create(struct sys *sys, const struct target_request *req, struct error *err)
{
	union bpf_iter_link_info info;
	union bpf_attr attr;
	int fd = -1, ret, raw = -EINVAL;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = req->prog_fd;
	attr.link_create.attach_type = req->attach_type;
	ret = fill_target(sys, req, &attr, &fd, &info, err);
	if (ret < 0)
		return ret;
	ret = sys_bpf(sys, BPF_LINK_CREATE, &attr, size_of(req, &attr));
	sys_close_fd(sys, &fd);
	/* Before Linux 5.19, link_create() did not support this target. */
	if (ret == -EINVAL && req->target->kind == TARGET_HOOK && !req->cookie)
		raw = raw_tracepoint_open(sys, req, NULL, err);
	if (raw != -EINVAL)
		return raw;
	if (ret < 0) {
		link_target_failed(sys, req, "BPF_LINK_CREATE", -ret, err);
		sys_error_bpf(err, BPF_LINK_CREATE, &attr, size_of(req, &attr), -ret);
	}
	return ret;
}

int link_target_bind(struct sys *sys, const struct target_request *req, struct attach_set *set,
		      struct error *err)
{
	int fd;

	if (req->target->kind == TARGET_MAP)
		return link_target_bind_map(sys, req, set, err);
	if (req->target->kind == TARGET_TRACEPOINT)
		fd = raw_tracepoint_open(sys, req, req->section_target, err);
	else
		fd = link_create(sys, req, err);
	if (fd < 0)
		return fd;
	return attach_add_link(sys, set, fd, req->prog, err);
}
