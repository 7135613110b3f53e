// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The probes of a session: create them, remove them, and read the missed calls from links. */
#include <stdio.h>
#include <string.h>

#include "loader/events/attach/events.h"
#include "loader/core/kernel/kernel.h"
#include "loader/events/probes/probes.h"

/*
 * Linux 6.7: bpf_perf_link_fill_kprobe() in kernel/bpf/syscall.c, and its kprobe.multi counterpart.
 * Return 0 on older kernels and for other links.
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

void attach_note_kprobe_misses(struct sys *sys, struct attach_set *set)
{
	uint64_t missed = 0;

	for (unsigned int i = 0; i < set->nr; i++)
		if (set->list[i].is_kprobe && set->list[i].link_fd >= 0)
			missed += missed_by(sys, set->list[i].link_fd);
	probes_note_missed(&set->probes, missed);
}

/* --- the row of `features` --- */

static int describe_probe(struct sys *sys, struct attach_event *e, struct attach_set *set,
			  struct error *err)
{
	const struct attach_request *req = &e->req;
	int ret;

	if (!event_is_probe(req->spec))
		return 0;
	ret = probe_describe(req->method->probes_by_tracefs)(sys, req->spec, &set->probes,
							     e->function, &e->attr, err);
	return ret < 0 ? ret : 1;
}

static void remove_probes(struct sys *sys, struct attach_set *set, unsigned int nr_probes)
{
	probes_remove(sys, &set->probes, nr_probes);
}

static void end_probes(struct sys *sys, struct attach_set *set)
{
	probes_end(sys, &set->probes);
}

const struct attach_feature attach_probes = {
	.list = attach_add_processes, .describe = describe_probe, .closed = remove_probes,
	.begin_end = attach_note_kprobe_misses, .end = end_probes,
};
