// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All section names of programs, and suggestions for unknown ones. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/prog_kinds/prog_kinds.h"

#define CGROUP_ADDR(name, attach) \
	{ "cgroup/" name, BPF_PROG_TYPE_CGROUP_SOCK_ADDR, attach, 0, NAMES_NOTHING }

/*
 * All names that libbpf knows, or knew before 1.0. A name precedes any name that is a prefix of it.
 * The core has those for events.
 */
static const struct prog_kind kinds[] = {
	{ "kprobe.multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0, NAMES_EVENT },
	{ "kprobe.session", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_SESSION, 0, NAMES_EVENT },
	{ "kprobe", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "kretprobe.multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0, NAMES_EVENT },
	{ "kretprobe", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "ksyscall", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "kretsyscall", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "uprobe.multi.s", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "uprobe.multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, 0, NAMES_EVENT },
	{ "uprobe.session.s", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_SESSION, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "uprobe.session", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_SESSION, 0, NAMES_EVENT },
	{ "uprobe.s", BPF_PROG_TYPE_KPROBE, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "uprobe", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "uretprobe.multi.s", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "uretprobe.multi", BPF_PROG_TYPE_KPROBE, BPF_TRACE_UPROBE_MULTI, 0, NAMES_EVENT },
	{ "uretprobe.s", BPF_PROG_TYPE_KPROBE, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "uretprobe", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "usdt.s", BPF_PROG_TYPE_KPROBE, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "usdt", BPF_PROG_TYPE_KPROBE, 0, 0, NAMES_EVENT },
	{ "raw_tracepoint.w", BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, 0, 0, NAMES_EVENT },
	{ "raw_tracepoint.s", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "raw_tracepoint", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, NAMES_EVENT },
	{ "raw_tp.w", BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE, 0, 0, NAMES_EVENT },
	{ "raw_tp.s", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "raw_tp", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, NAMES_EVENT },
	{ "tp_btf.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, BPF_F_SLEEPABLE,
	  NAMES_BTF_TRACEPOINT },
	{ "tp_btf", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, 0, NAMES_BTF_TRACEPOINT },
	{ "fentry.multi.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY_MULTI, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "fentry.multi", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY_MULTI, 0, NAMES_EVENT },
	{ "fexit.multi.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT_MULTI, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "fexit.multi", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT_MULTI, 0, NAMES_EVENT },
	{ "fsession.multi.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION_MULTI, BPF_F_SLEEPABLE,
	  NAMES_EVENT },
	{ "fsession.multi", BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION_MULTI, 0, NAMES_EVENT },
	{ "fentry.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, BPF_F_SLEEPABLE, NAMES_BTF_FUNC },
	{ "fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0, NAMES_BTF_FUNC },
	{ "fexit.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, BPF_F_SLEEPABLE, NAMES_BTF_FUNC },
	{ "fexit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, 0, NAMES_BTF_FUNC },
	{ "fmod_ret.s", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, BPF_F_SLEEPABLE,
	  NAMES_BTF_FUNC },
	{ "fmod_ret", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, 0, NAMES_BTF_FUNC },
	{ "lsm_cgroup", BPF_PROG_TYPE_LSM, BPF_LSM_CGROUP, 0, NAMES_BTF_HOOK },
	{ "lsm.s", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, BPF_F_SLEEPABLE, NAMES_BTF_HOOK },
	{ "lsm", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, 0, NAMES_BTF_HOOK },
	{ "iter.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, BPF_F_SLEEPABLE, NAMES_BTF_ITER },
	{ "iter", BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, 0, NAMES_BTF_ITER },
	{ "fsession.s", BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION, BPF_F_SLEEPABLE,
	  NAMES_BTF_FUNC },
	{ "fsession", BPF_PROG_TYPE_TRACING, BPF_TRACE_FSESSION, 0, NAMES_BTF_FUNC },
	{ "freplace", BPF_PROG_TYPE_EXT, 0, 0, NAMES_PROG_FUNC },
	{ "struct_ops.s", BPF_PROG_TYPE_STRUCT_OPS, 0, BPF_F_SLEEPABLE, NAMES_STRUCT },
	{ "struct_ops", BPF_PROG_TYPE_STRUCT_OPS, 0, 0, NAMES_STRUCT },
	{ "syscall", BPF_PROG_TYPE_SYSCALL, 0, BPF_F_SLEEPABLE, NAMES_NOTHING },
	{ "xdp.frags/devmap", BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, BPF_F_XDP_HAS_FRAGS,
	  NAMES_NOTHING },
	{ "xdp.frags/cpumap", BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP, BPF_F_XDP_HAS_FRAGS,
	  NAMES_NOTHING },
	{ "xdp.frags", BPF_PROG_TYPE_XDP, BPF_XDP, BPF_F_XDP_HAS_FRAGS, NAMES_NOTHING },
	{ "xdp/devmap", BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, 0, NAMES_NOTHING },
	{ "xdp/cpumap", BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP, 0, NAMES_NOTHING },
	{ "xdp_devmap", BPF_PROG_TYPE_XDP, BPF_XDP_DEVMAP, 0, NAMES_NOTHING },
	{ "xdp_cpumap", BPF_PROG_TYPE_XDP, BPF_XDP_CPUMAP, 0, NAMES_NOTHING },
	{ "xdp", BPF_PROG_TYPE_XDP, BPF_XDP, 0, NAMES_NOTHING },
	{ "tcx/ingress", BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_INGRESS, 0, NAMES_NOTHING },
	{ "tcx/egress", BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, 0, NAMES_NOTHING },
	{ "tc/ingress", BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_INGRESS, 0, NAMES_NOTHING },
	{ "tc/egress", BPF_PROG_TYPE_SCHED_CLS, BPF_TCX_EGRESS, 0, NAMES_NOTHING },
	{ "tc", BPF_PROG_TYPE_SCHED_CLS, 0, 0, NAMES_NOTHING },
	{ "classifier", BPF_PROG_TYPE_SCHED_CLS, 0, 0, NAMES_NOTHING },
	{ "action", BPF_PROG_TYPE_SCHED_ACT, 0, 0, NAMES_NOTHING },
	{ "netkit/primary", BPF_PROG_TYPE_SCHED_CLS, BPF_NETKIT_PRIMARY, 0, NAMES_NOTHING },
	{ "netkit/peer", BPF_PROG_TYPE_SCHED_CLS, BPF_NETKIT_PEER, 0, NAMES_NOTHING },
	{ "socket", BPF_PROG_TYPE_SOCKET_FILTER, 0, 0, NAMES_NOTHING },
	{ "sk_reuseport/migrate", BPF_PROG_TYPE_SK_REUSEPORT, BPF_SK_REUSEPORT_SELECT_OR_MIGRATE, 0,
	  NAMES_NOTHING },
	{ "sk_reuseport", BPF_PROG_TYPE_SK_REUSEPORT, BPF_SK_REUSEPORT_SELECT, 0, NAMES_NOTHING },
	{ "sk_skb/stream_parser", BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_STREAM_PARSER, 0,
	  NAMES_NOTHING },
	{ "sk_skb/stream_verdict", BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_STREAM_VERDICT, 0,
	  NAMES_NOTHING },
	{ "sk_skb/verdict", BPF_PROG_TYPE_SK_SKB, BPF_SK_SKB_VERDICT, 0, NAMES_NOTHING },
	{ "sk_skb", BPF_PROG_TYPE_SK_SKB, 0, 0, NAMES_NOTHING },
	{ "sk_msg", BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT, 0, NAMES_NOTHING },
	{ "sk_lookup", BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP, 0, NAMES_NOTHING },
	{ "sockops", BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS, 0, NAMES_NOTHING },
	{ "flow_dissector", BPF_PROG_TYPE_FLOW_DISSECTOR, BPF_FLOW_DISSECTOR, 0, NAMES_NOTHING },
	{ "netfilter", BPF_PROG_TYPE_NETFILTER, BPF_NETFILTER, 0, NAMES_NOTHING },
	{ "lirc_mode2", BPF_PROG_TYPE_LIRC_MODE2, BPF_LIRC_MODE2, 0, NAMES_NOTHING },
	{ "lwt_in", BPF_PROG_TYPE_LWT_IN, 0, 0, NAMES_NOTHING },
	{ "lwt_out", BPF_PROG_TYPE_LWT_OUT, 0, 0, NAMES_NOTHING },
	{ "lwt_xmit", BPF_PROG_TYPE_LWT_XMIT, 0, 0, NAMES_NOTHING },
	{ "lwt_seg6local", BPF_PROG_TYPE_LWT_SEG6LOCAL, 0, 0, NAMES_NOTHING },
	{ "cgroup_skb/ingress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_INGRESS, 0,
	  NAMES_NOTHING },
	{ "cgroup_skb/egress", BPF_PROG_TYPE_CGROUP_SKB, BPF_CGROUP_INET_EGRESS, 0,
	  NAMES_NOTHING },
	{ "cgroup/skb", BPF_PROG_TYPE_CGROUP_SKB, 0, 0, NAMES_NOTHING },
	{ "cgroup/sock_create", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE, 0,
	  NAMES_NOTHING },
	{ "cgroup/sock_release", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_RELEASE, 0,
	  NAMES_NOTHING },
	{ "cgroup/sock", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE, 0,
	  NAMES_NOTHING },
	{ "cgroup/post_bind4", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET4_POST_BIND, 0,
	  NAMES_NOTHING },
	{ "cgroup/post_bind6", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET6_POST_BIND, 0,
	  NAMES_NOTHING },
	CGROUP_ADDR("bind4", BPF_CGROUP_INET4_BIND),
	CGROUP_ADDR("bind6", BPF_CGROUP_INET6_BIND),
	CGROUP_ADDR("connect4", BPF_CGROUP_INET4_CONNECT),
	CGROUP_ADDR("connect6", BPF_CGROUP_INET6_CONNECT),
	CGROUP_ADDR("connect_unix", BPF_CGROUP_UNIX_CONNECT),
	CGROUP_ADDR("sendmsg4", BPF_CGROUP_UDP4_SENDMSG),
	CGROUP_ADDR("sendmsg6", BPF_CGROUP_UDP6_SENDMSG),
	CGROUP_ADDR("sendmsg_unix", BPF_CGROUP_UNIX_SENDMSG),
	CGROUP_ADDR("recvmsg4", BPF_CGROUP_UDP4_RECVMSG),
	CGROUP_ADDR("recvmsg6", BPF_CGROUP_UDP6_RECVMSG),
	CGROUP_ADDR("recvmsg_unix", BPF_CGROUP_UNIX_RECVMSG),
	CGROUP_ADDR("getpeername4", BPF_CGROUP_INET4_GETPEERNAME),
	CGROUP_ADDR("getpeername6", BPF_CGROUP_INET6_GETPEERNAME),
	CGROUP_ADDR("getpeername_unix", BPF_CGROUP_UNIX_GETPEERNAME),
	CGROUP_ADDR("getsockname4", BPF_CGROUP_INET4_GETSOCKNAME),
	CGROUP_ADDR("getsockname6", BPF_CGROUP_INET6_GETSOCKNAME),
	CGROUP_ADDR("getsockname_unix", BPF_CGROUP_UNIX_GETSOCKNAME),
	{ "cgroup/sysctl", BPF_PROG_TYPE_CGROUP_SYSCTL, BPF_CGROUP_SYSCTL, 0, NAMES_NOTHING },
	{ "cgroup/getsockopt", BPF_PROG_TYPE_CGROUP_SOCKOPT, BPF_CGROUP_GETSOCKOPT, 0,
	  NAMES_NOTHING },
	{ "cgroup/setsockopt", BPF_PROG_TYPE_CGROUP_SOCKOPT, BPF_CGROUP_SETSOCKOPT, 0,
	  NAMES_NOTHING },
	{ "cgroup/dev", BPF_PROG_TYPE_CGROUP_DEVICE, BPF_CGROUP_DEVICE, 0, NAMES_NOTHING },
	{ "", BPF_PROG_TYPE_UNSPEC, 0, 0, NAMES_NOTHING },
};

const struct object_feature object_prog_kinds = { .kinds = kinds };

/* Return the length of @section up to the '/' that ends a prefix with this many slashes. */
static size_t length_as(const char *section, const char *prefix)
{
	size_t n = strcspn(section, "/");

	for (const char *c = prefix; (c = strchr(c, '/')) && section[n]; c++)
		n += 1 + strcspn(section + n + 1, "/");
	return n;
}

/*
 * Return the prefix of @kind if @section resembles it, otherwise @best. At most every third
 * character may differ: "filter" is not a misspelling of "iter". @least: the distance of @best.
 */
static const char *nearest_kind(const struct prog_kind *kind, const char *section,
				unsigned int *least, const char *best)
{
	char word[32];

	for (; kind->prefix[0]; kind++) {
		unsigned int distance;

		snprintf(word, sizeof(word), "%.*s", (int)length_as(section, kind->prefix),
			 section);
		distance = edit_distance(word, kind->prefix);
		if (distance < *least && 3 * distance <= strlen(kind->prefix)) {
			*least = distance;
			best = kind->prefix;
		}
	}
	return best;
}

/*
 * Return the prefix of @kind if @section starts with it followed by a separator other than '/', as
 * in "kprobe_do_exit", or NULL. A letter is not a separator: "tcpdump" does not match "tc".
 */
static const char *run_on_kind(const struct prog_kind *kind, const char *section)
{
	for (; kind->prefix[0]; kind++) {
		const size_t n = strlen(kind->prefix);

		if (!strncmp(section, kind->prefix, n) && section[n] && strchr("_:-", section[n]))
			return kind->prefix;
	}
	return NULL;
}

void explain_kind(struct sys *sys, const void *call, struct error *err)
{
	const struct object_prog *prog = call;
	const char *const section = prog->section + (prog->section[0] == '?');
	const char *near, *run_on;
	unsigned int least = 3;

	(void)sys;
	near = nearest_kind(prog_kinds, section, &least, NULL);
	near = nearest_kind(kinds, section, &least, near);
	run_on = run_on_kind(prog_kinds, section);
	if (!run_on)
		run_on = run_on_kind(kinds, section);
	error_set(err, EINVAL, "section '%s' has an unknown kind", prog->section);
	error_reason(err, "prog-load/kind");
	if (near)
		error_hint(err, "did you mean SEC(\"%s\")?", near);
	else if (run_on)
		error_hint(err, "after '%s' comes a '/': SEC(\"%s/...\")", run_on, run_on);
	else
		error_hint(err, "use libbpf's names, such as SEC(\"perf_event\"), "
				"SEC(\"tracepoint/CATEGORY/NAME\"), SEC(\"kprobe/FUNCTION\"), "
				"SEC(\"uprobe/FILE:FUNCTION\"), SEC(\"xdp\"), SEC(\"tc\") or "
				"SEC(\"socket\")");
}
