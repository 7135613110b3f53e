// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A record is read after it was submitted.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct event {
	__u32 pid;
	char comm[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

__u32 last;

SEC("perf_event")
int record(void *ctx)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e)
		return 0;
	e->comm[0] = 'x';
	bpf_ringbuf_submit(e, 0);
	last = e->pid;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
