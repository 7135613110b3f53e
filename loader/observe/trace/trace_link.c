// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace BPF_LINK_CREATE: its fields depend on the attach type. */
#include <stdbool.h>

#include <linux/if_link.h>

#include "loader/observe/trace/trace_bpf.h"

const struct sys_flag trace_attach_flags[] = {
	FLAG(BPF_F_ALLOW_OVERRIDE),
	FLAG(BPF_F_ALLOW_MULTI),
	FLAG(BPF_F_REPLACE),
	FLAG(BPF_F_BEFORE),
	FLAG(BPF_F_AFTER),
	FLAG(BPF_F_ID),
	FLAG(BPF_F_PREORDER),
	FLAG(BPF_F_LINK),
	{ 0, NULL },
};

static const struct sys_flag xdp_flags[] = {
	FLAG(XDP_FLAGS_UPDATE_IF_NOEXIST),
	FLAG(XDP_FLAGS_SKB_MODE),
	FLAG(XDP_FLAGS_DRV_MODE),
	FLAG(XDP_FLAGS_HW_MODE),
	{ 0, NULL },
};

static const struct sys_flag kprobe_multi_flags[] = {
	FLAG(BPF_F_KPROBE_MULTI_RETURN),
	{ 0, NULL },
};

static const struct sys_flag uprobe_multi_flags[] = {
	FLAG(BPF_F_UPROBE_MULTI_RETURN),
	FLAG(BPF_F_UPROBE_MULTI_PATH_FD),
	{ 0, NULL },
};

const struct trace_field trace_link_create[] = {
	SUB(link_create, prog_fd, TRACE_FD),
	SUB(link_create, target_fd, TRACE_FD),
	SUB_NAMED(link_create, attach_type, sys_attach_type_name),
	END
};

/* target_ifindex shares a union with target_fd: the fields for network devices. */
static const struct trace_field link_create_device[] = {
	SUB(link_create, prog_fd, TRACE_FD),
	SUB(link_create, target_ifindex, TRACE_DEC),
	SUB_NAMED(link_create, attach_type, sys_attach_type_name),
	END
};

static const struct trace_field link_flags[] = {
	SUB_FLAGS(link_create, flags, trace_attach_flags),
	END
};

/* The rest of BPF_LINK_CREATE depends on the attach type. */
static const struct trace_field link_perf_event[] = {
	SUB(link_create, perf_event.bpf_cookie, TRACE_DEC),
	END
};

static const struct trace_field link_tracing[] = {
	SUB(link_create, tracing.target_btf_id, TRACE_DEC),
	SUB(link_create, tracing.cookie, TRACE_DEC),
	END
};

static const struct trace_field link_xdp[] = {
	SUB_FLAGS(link_create, flags, xdp_flags),
	END
};

static const struct trace_field link_netfilter[] = {
	SUB(link_create, netfilter.pf, TRACE_SHOWN),
	SUB(link_create, netfilter.hooknum, TRACE_SHOWN),
	SUB(link_create, netfilter.priority, TRACE_INT),
	SUB(link_create, netfilter.flags, TRACE_HEX),
	END
};

static const struct trace_field link_kprobe_multi[] = {
	SUB_FLAGS(link_create, kprobe_multi.flags, kprobe_multi_flags),
	SUB(link_create, kprobe_multi.cnt, TRACE_DEC),
	SUB(link_create, kprobe_multi.syms, TRACE_PTR),
	SUB(link_create, kprobe_multi.addrs, TRACE_PTR),
	SUB(link_create, kprobe_multi.cookies, TRACE_PTR),
	END
};

static const struct trace_field link_uprobe_multi[] = {
	SUB(link_create, uprobe_multi.path, TRACE_STRING),
	SUB(link_create, uprobe_multi.offsets, TRACE_PTR),
	SUB(link_create, uprobe_multi.ref_ctr_offsets, TRACE_PTR),
	SUB(link_create, uprobe_multi.cookies, TRACE_PTR),
	SUB(link_create, uprobe_multi.cnt, TRACE_DEC),
	SUB_FLAGS(link_create, uprobe_multi.flags, uprobe_multi_flags),
	SUB(link_create, uprobe_multi.pid, TRACE_DEC),
	SUB(link_create, uprobe_multi.path_fd, TRACE_INT),
	END
};

static const struct trace_field link_tracing_multi[] = {
	SUB(link_create, tracing_multi.ids, TRACE_PTR),
	SUB(link_create, tracing_multi.cookies, TRACE_PTR),
	SUB(link_create, tracing_multi.cnt, TRACE_DEC),
	END
};

static const struct trace_field link_tcx[] = {
	SUB(link_create, tcx.relative_fd, TRACE_INT),
	SUB(link_create, tcx.expected_revision, TRACE_DEC),
	END
};

static const struct trace_field link_netkit[] = {
	SUB(link_create, netkit.relative_fd, TRACE_INT),
	SUB(link_create, netkit.expected_revision, TRACE_DEC),
	END
};

static const struct trace_field link_iter[] = {
	SUB(link_create, iter_info, TRACE_PTR),
	SUB(link_create, iter_info_len, TRACE_DEC),
	END
};

static const struct trace_field *const link_by_attach_type[] = {
	[BPF_TRACE_ITER] = link_iter,
	[BPF_PERF_EVENT] = link_perf_event,
	[BPF_TRACE_RAW_TP] = link_tracing,
	[BPF_TRACE_FENTRY] = link_tracing,
	[BPF_TRACE_FEXIT] = link_tracing,
	[BPF_MODIFY_RETURN] = link_tracing,
	[BPF_LSM_MAC] = link_tracing,
	[BPF_TRACE_FENTRY_MULTI] = link_tracing_multi,
	[BPF_TRACE_FEXIT_MULTI] = link_tracing_multi,
	[BPF_TRACE_FSESSION_MULTI] = link_tracing_multi,
	[BPF_XDP] = link_xdp,
	[BPF_NETFILTER] = link_netfilter,
	[BPF_TCX_INGRESS] = link_tcx,
	[BPF_TCX_EGRESS] = link_tcx,
	[BPF_NETKIT_PRIMARY] = link_netkit,
	[BPF_NETKIT_PEER] = link_netkit,
	[BPF_TRACE_KPROBE_MULTI] = link_kprobe_multi,
	[BPF_TRACE_KPROBE_SESSION] = link_kprobe_multi,
	[BPF_TRACE_UPROBE_MULTI] = link_uprobe_multi,
	[BPF_TRACE_UPROBE_SESSION] = link_uprobe_multi,
};

const struct trace_field *trace_link_table(unsigned int i)
{
	static const struct trace_field *const tables[] = {
		trace_link_create, link_create_device, link_flags, link_iter, link_perf_event,
		link_tracing, link_kprobe_multi, link_uprobe_multi, link_tracing_multi,
		link_netfilter, link_tcx, link_netkit,
	};

	return i < sizeof(tables) / sizeof(tables[0]) ? tables[i] : NULL;
}

static bool is_device(uint32_t attach_type)
{
	return attach_type == BPF_XDP || attach_type == BPF_TCX_INGRESS ||
	       attach_type == BPF_TCX_EGRESS || attach_type == BPF_NETKIT_PRIMARY ||
	       attach_type == BPF_NETKIT_PEER;
}

/* BPF_LINK_CREATE has unions; the attach type selects their members. */
void trace_link_fields(struct trace_list *list, const union bpf_attr *attr, size_t size)
{
	const size_t known = sizeof(link_by_attach_type) / sizeof(link_by_attach_type[0]);
	const bool typed = size >= offsetof(union bpf_attr, link_create.flags);
	const uint32_t type = typed ? attr->link_create.attach_type : 0;

	trace_fields(list, typed && is_device(type) ? link_create_device : trace_link_create,
		     attr, size);
	if (!typed)
		return;
	if (type != BPF_XDP)	/* its flags are those of netlink */
		trace_fields(list, link_flags, attr, size);
	if (type < known && link_by_attach_type[type])
		trace_fields(list, link_by_attach_type[type], attr, size);
}
