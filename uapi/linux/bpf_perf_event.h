/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The context of a BPF_PROG_TYPE_PERF_EVENT program. */
#ifndef __LINUX_BPF_PERF_EVENT_H__
#define __LINUX_BPF_PERF_EVENT_H__

#include <linux/types.h>
#include <linux/ptrace.h>

#ifdef bpf_target_defined
/*
 * addr is the address that belongs to the event, such as that of a page fault or a breakpoint. If
 * the event has no address, addr is 0 with PERF_SAMPLE_ADDR and undefined without it.
 */
struct bpf_perf_event_data {
	bpf_user_pt_regs_t regs;
	__u64 sample_period;
	__u64 addr;
};
#endif

#endif
