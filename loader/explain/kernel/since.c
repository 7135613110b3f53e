// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The Linux releases that introduced program types, attach types and flags. */
#include <fcntl.h>
#include <stdio.h>

#include "loader/explain/kernel/refused.h"

#define V(major, minor) LINUX(major, minor)

/* include/uapi/linux/bpf.h of each release. */
static const uint16_t prog_types[__MAX_BPF_PROG_TYPE] = {
	[BPF_PROG_TYPE_SOCKET_FILTER] = V(3, 19),
	[BPF_PROG_TYPE_KPROBE] = V(4, 1),
	[BPF_PROG_TYPE_SCHED_CLS] = V(4, 1),
	[BPF_PROG_TYPE_SCHED_ACT] = V(4, 1),
	[BPF_PROG_TYPE_TRACEPOINT] = V(4, 7),
	[BPF_PROG_TYPE_XDP] = V(4, 8),
	[BPF_PROG_TYPE_PERF_EVENT] = V(4, 9),
	[BPF_PROG_TYPE_CGROUP_SKB] = V(4, 10),
	[BPF_PROG_TYPE_CGROUP_SOCK] = V(4, 10),
	[BPF_PROG_TYPE_LWT_IN] = V(4, 10),
	[BPF_PROG_TYPE_LWT_OUT] = V(4, 10),
	[BPF_PROG_TYPE_LWT_XMIT] = V(4, 10),
	[BPF_PROG_TYPE_SOCK_OPS] = V(4, 13),
	[BPF_PROG_TYPE_SK_SKB] = V(4, 14),
	[BPF_PROG_TYPE_CGROUP_DEVICE] = V(4, 15),
	[BPF_PROG_TYPE_SK_MSG] = V(4, 17),
	[BPF_PROG_TYPE_RAW_TRACEPOINT] = V(4, 17),
	[BPF_PROG_TYPE_CGROUP_SOCK_ADDR] = V(4, 17),
	[BPF_PROG_TYPE_LWT_SEG6LOCAL] = V(4, 18),
	[BPF_PROG_TYPE_LIRC_MODE2] = V(4, 18),
	[BPF_PROG_TYPE_SK_REUSEPORT] = V(4, 19),
	[BPF_PROG_TYPE_FLOW_DISSECTOR] = V(4, 20),
	[BPF_PROG_TYPE_CGROUP_SYSCTL] = V(5, 2),
	[BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE] = V(5, 2),
	[BPF_PROG_TYPE_CGROUP_SOCKOPT] = V(5, 3),
	[BPF_PROG_TYPE_TRACING] = V(5, 5),
	[BPF_PROG_TYPE_STRUCT_OPS] = V(5, 6),
	[BPF_PROG_TYPE_EXT] = V(5, 6),
	[BPF_PROG_TYPE_LSM] = V(5, 7),
	[BPF_PROG_TYPE_SK_LOOKUP] = V(5, 9),
	[BPF_PROG_TYPE_SYSCALL] = V(5, 14),
	[BPF_PROG_TYPE_NETFILTER] = V(6, 4),
};

/* Attach types that are newer than their program type. */
static const uint16_t attach_types[__MAX_BPF_ATTACH_TYPE] = {
	[BPF_CGROUP_UDP4_SENDMSG] = V(4, 18),
	[BPF_CGROUP_UDP6_SENDMSG] = V(4, 18),
	[BPF_CGROUP_UDP4_RECVMSG] = V(5, 2),
	[BPF_CGROUP_UDP6_RECVMSG] = V(5, 2),
	[BPF_MODIFY_RETURN] = V(5, 7),
	[BPF_TRACE_ITER] = V(5, 8),
	[BPF_CGROUP_INET4_GETPEERNAME] = V(5, 8),
	[BPF_CGROUP_INET6_GETPEERNAME] = V(5, 8),
	[BPF_CGROUP_INET4_GETSOCKNAME] = V(5, 8),
	[BPF_CGROUP_INET6_GETSOCKNAME] = V(5, 8),
	[BPF_XDP_DEVMAP] = V(5, 8),
	[BPF_CGROUP_INET_SOCK_RELEASE] = V(5, 9),
	[BPF_XDP_CPUMAP] = V(5, 9),
	[BPF_SK_SKB_VERDICT] = V(5, 13),
	[BPF_SK_REUSEPORT_SELECT_OR_MIGRATE] = V(5, 14),
	[BPF_TRACE_KPROBE_MULTI] = V(5, 18),
	[BPF_LSM_CGROUP] = V(6, 0),
	[BPF_TRACE_UPROBE_MULTI] = V(6, 6),
	[BPF_CGROUP_UNIX_CONNECT] = V(6, 7),
	[BPF_CGROUP_UNIX_SENDMSG] = V(6, 7),
	[BPF_CGROUP_UNIX_RECVMSG] = V(6, 7),
	[BPF_CGROUP_UNIX_GETPEERNAME] = V(6, 7),
	[BPF_CGROUP_UNIX_GETSOCKNAME] = V(6, 7),
	[BPF_TRACE_KPROBE_SESSION] = V(6, 10),
	[BPF_TRACE_UPROBE_SESSION] = V(6, 13),
	[BPF_TRACE_FSESSION] = V(7, 0),
	[BPF_TRACE_FENTRY_MULTI] = V(7, 2),
	[BPF_TRACE_FEXIT_MULTI] = V(7, 2),
	[BPF_TRACE_FSESSION_MULTI] = V(7, 2),
};

static uint16_t latest(uint16_t a, uint16_t b)
{
	return a > b ? a : b;
}

/*
 * Program types became sleepable one at a time: can_be_sleepable() in kernel/bpf/verifier.c.
 */
static uint16_t sleepable_since(const struct prog_kind *kind)
{
	switch (kind->prog_type) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_STRUCT_OPS:
		return V(6, 0);
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
		return V(7, 2);
	case BPF_PROG_TYPE_TRACING:
		return kind->attach_type == BPF_TRACE_RAW_TP ? V(7, 2) :
		       kind->attach_type == BPF_TRACE_ITER ? V(5, 18) : V(5, 10);
	default:
		return V(5, 10);
	}
}

uint16_t kernel_since(const struct prog_kind *kind)
{
	uint16_t v = prog_types[kind->prog_type];

	v = latest(v, attach_types[kind->attach_type]);
	return kind->prog_flags & BPF_F_SLEEPABLE ? latest(v, sleepable_since(kind)) : v;
}

bool kernel_hint_release(struct sys *sys, const char *what, uint16_t wanted, struct error *err)
{
	unsigned int major, minor;
	char release[64];
	int ret = sys_read_text(sys, AT_FDCWD, "/proc/sys/kernel/osrelease", release,
				sizeof(release));

	if (ret < 0 || sscanf(release, "%3u.%3u", &major, &minor) != 2 ||
	    LINUX(major, minor) >= wanted)
		return false;
	error_reason(err, "prog-load/too-old");
	error_hint(err, "%s: needs Linux %u.%u, but this is %s", what, wanted >> 8,
		   wanted & 0xff, release);
	return true;
}
