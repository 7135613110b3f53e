// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A full ring buffer is not expected.
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

SEC("perf_event")
int record(void *ctx)
{
	struct event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	e->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_ringbuf_submit(e, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
