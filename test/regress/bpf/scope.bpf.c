// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The programs count events in tasks of one name, and may write a record for each, so that a test
 * sees which tasks a scope covers.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/map.h"

/* The tasks that are counted; pids differ between namespaces, names do not. */
const volatile char wanted[16];

struct counted {
	__u64 runs;
};

MAP(counts, ARRAY, 1, __u32, struct counted);

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} events SEC(".maps");

struct record {
	__u64 magic, nr;
};

struct record *unused_record __attribute__((unused)); /* so that its type is described */

/* Before Linux 5.12 no atomic addition returns the old value. */
static int count(void)
{
	char name[16] = {};
	struct counted *c;
	__u32 zero = 0;

	bpf_get_current_comm(name, sizeof(name));
	for (int i = 0; i < 16 && wanted[i]; i++)
		if (name[i] != wanted[i])
			return 0;
	c = bpf_map_lookup_elem(&counts, &zero);
	if (!c)
		return 0;
	__sync_fetch_and_add(&c->runs, 1);
	return 1;
}

SEC("perf_event")
int counted(struct bpf_perf_event_data *ctx)
{
	count();
	return 1;
}

SEC("perf_event")
int recorded(struct bpf_perf_event_data *ctx)
{
	struct record r = { .magic = 0x73636f70 };

	if (count())
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &r, sizeof(r));
	return 1;
}

SEC("tracepoint/sched/sched_switch")
int traced(void *ctx)
{
	count();
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
