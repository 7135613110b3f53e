// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The programs count events in tasks of one name, or write a record for each, so that a test sees
 * which attachments outlive pload.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/map.h"

const volatile char wanted[16]; /* pids differ between namespaces, names do not */
const volatile _Bool with_cookie;	/* the kernel has bpf_get_attach_cookie(): Linux 5.15 */

struct counted {
	__u64 runs, cookie;
};

MAP(counts, ARRAY, 1, __u32, struct counted);

struct record {
	__u64 magic, nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} events SEC(".maps");

struct record *unused_record __attribute__((unused)); /* so that its type is described */

static struct counted *ours(void)
{
	char name[16] = {};
	__u32 zero = 0;

	bpf_get_current_comm(name, sizeof(name));
	for (int i = 0; i < 16 && wanted[i]; i++)
		if (name[i] != wanted[i])
			return 0;
	return bpf_map_lookup_elem(&counts, &zero);
}

static int count(void *ctx)
{
	struct counted *c = ours();

	if (!c)
		return 1;
	c->cookie = with_cookie ? bpf_get_attach_cookie(ctx) : 0;
	__sync_fetch_and_add(&c->runs, 1);
	return 1;
}

SEC("perf_event")
int counted(struct bpf_perf_event_data *ctx)
{
	return count(ctx);
}

SEC("tracepoint/sched/sched_switch")
int traced(void *ctx)
{
	return count(ctx);
}

SEC("perf_event")
int into_ring(struct bpf_perf_event_data *ctx)
{
	struct counted *c = ours();
	struct record r = { .magic = 0x6c696665 };

	if (!c)
		return 1;
	r.nr = c->runs;	/* before Linux 5.12 no atomic addition gives the old value */
	__sync_fetch_and_add(&c->runs, 1);
	bpf_ringbuf_output(&ring, &r, sizeof(r), 0);
	return 1;
}

SEC("perf_event")
int into_events(struct bpf_perf_event_data *ctx)
{
	struct counted *c = ours();
	struct record r = { .magic = 0x6c696665 };

	if (!c)
		return 1;
	r.nr = c->runs;	/* before Linux 5.12 no atomic addition gives the old value */
	__sync_fetch_and_add(&c->runs, 1);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &r, sizeof(r));
	return 1;
}

char LICENSE[] SEC("license") = "GPL";
