/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The maps and functions that all programs share which read their context. */
#ifndef PLOAD_REGRESS_CONTEXT_H
#define PLOAD_REGRESS_CONTEXT_H

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "test/regress/bpf/context_io.h"
#include "test/regress/bpf/map.h"
#include "test/regress/bpf/task.h"

MAP(io, ARRAY, 1, __u32, struct context_io);

/* NULL: another task's, or somewhere else. */
static __always_inline struct context_io *io_begin(__u64 ip)
{
	__u32 zero = 0;
	struct context_io *mine = bpf_map_lookup_elem(&io, &zero);

	if (!mine || !is_this_task(mine->comm))
		return 0;
	if (mine->high && (ip < mine->low || ip >= mine->high)) {
		mine->others++;
		return 0;
	}
	mine->runs++;
	mine->ip = ip;
	return mine;
}

char LICENSE[] SEC("license") = "GPL";

#endif
