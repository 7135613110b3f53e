// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Count the calls that kprobes missed: their links know, until they are closed. */
#include <stdio.h>
#include <string.h>

#include "loader/attach/attach.h"
#include "loader/kernel/kernel.h"

/*
 * Linux 6.7: bpf_perf_link_fill_kprobe() of kernel/bpf/syscall.c, and that of kprobe.multi. Returns
 * 0 before, and for other links.
 */
static uint64_t missed_by(struct sys *sys, int link_fd)
{
	struct bpf_link_info info;
	uint32_t len = sizeof(info);

	memset(&info, 0, sizeof(info));
	if (kernel_fd_info(sys, link_fd, &info, &len) < 0)
		return 0;
	if (info.type == BPF_LINK_TYPE_KPROBE_MULTI)
		return info.kprobe_multi.missed;
	if (info.type == BPF_LINK_TYPE_PERF_EVENT &&
	    (info.perf_event.type == BPF_PERF_EVENT_KPROBE ||
	     info.perf_event.type == BPF_PERF_EVENT_KRETPROBE))
		return info.perf_event.kprobe.missed;
	return 0;
}

void attach_note_kprobe_misses(struct sys *sys, const struct attach_set *set)
{
	uint64_t missed = 0;

	for (unsigned int i = 0; i < set->nr; i++)
		if (set->list[i].is_kprobe && set->list[i].link_fd >= 0)
			missed += missed_by(sys, set->list[i].link_fd);
	probes_note_missed(&set->probes, missed);
}
