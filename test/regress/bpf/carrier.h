/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A program of each program type, named by_NAME for each name in
 * test/regress/groups/helpers/carrier.c. All run the same macro, CARRIED(ctx, io), which the file
 * that includes this one defines.
 */
#ifndef PLOAD_REGRESS_CARRIER_H
#define PLOAD_REGRESS_CARRIER_H

#include "test/regress/bpf/helper_prog.h"

/* Events in other tasks do not belong to the test, whose thread has a name of its own. */
static __always_inline int is_ours(const struct helper_io *mine)
{
	__u64 name[2] = { 0 };	/* some kernels write up to its NUL */

	return !bpf_get_current_comm(name, sizeof(name)) &&
	       name[0] == *(const __u64 *)&mine->text[0] &&
	       name[1] == *(const __u64 *)&mine->text[8];
}

#define CARRIER(section, name, condition, retval) \
	SEC("?" section) int by_##name(void *ctx) \
	{ \
		struct helper_io *mine = io_get(); \
		\
		if (mine && (condition)) { \
			mine->runs++; \
			CARRIED(ctx, mine); \
		} \
		return retval; \
	}

SEC("?perf_event") int by_perf_event(struct bpf_perf_event_data *ctx)
{
	struct helper_io *mine = io_begin(ctx);

	if (mine)
		CARRIED(ctx, mine);
	return 1;
}

CARRIER("tracepoint", tracepoint, is_ours(mine), 1)
CARRIER("kprobe", kprobe, is_ours(mine), 1)
CARRIER("uprobe", uprobe, is_ours(mine), 1)
CARRIER("raw_tp", raw_tp, 1, 0)
/*
 * Its context is writable, though the program does not write; runs by others' tests do not count.
 */
CARRIER("raw_tp.w/bpf_test_finish", raw_tp_w, is_ours(mine), 0)
CARRIER("fentry/bpf_fentry_test1", fentry, is_ours(mine), 0)
CARRIER("lsm/file_open", lsm, is_ours(mine) && !mine->runs, 0)
CARRIER("xdp", xdp, 1, XDP_PASS)
CARRIER("tc", tc, 1, 0)
CARRIER("action", action, 1, 0)
CARRIER("socket", socket, 1, 0)
CARRIER("cgroup_skb/ingress", cgroup_skb, 1, 1)
CARRIER("lwt_in", lwt_in, 1, 0)
CARRIER("lwt_out", lwt_out, 1, 0)
CARRIER("lwt_xmit", lwt_xmit, 1, 0)
CARRIER("cgroup/sock_create", cgroup_sock, 1, 1)
CARRIER("cgroup/bind4", cgroup_bind4, 1, 1)
CARRIER("cgroup/connect4", cgroup_connect4, 1, 1)
CARRIER("cgroup/sendmsg4", cgroup_sendmsg4, 1, 1)
CARRIER("cgroup/getsockopt", cgroup_getsockopt, 1, 1)
CARRIER("cgroup/setsockopt", cgroup_setsockopt, 1, 1)
CARRIER("cgroup/dev", cgroup_dev, 1, 1)
CARRIER("cgroup/sysctl", cgroup_sysctl, 1, 1)
/*
 * A sockops program runs several times for one connection, and sk_lookup may, too: only the first
 * run counts.
 */
CARRIER("sockops", sockops, !mine->runs, 1)
CARRIER("sk_lookup", sk_lookup, !mine->runs, SK_PASS)
CARRIER("sk_msg", sk_msg, 1, SK_PASS)
CARRIER("sk_skb/verdict", sk_skb, 1, SK_PASS)

#endif
