// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fill a ring buffer and a perf ring, in test runs (records of three sizes) or at getppid(2). */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define NR_GETPPID 110	/* on x86-64, where `make bench` runs */

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
} large_ring SEC(".maps");

struct bench_record {
	__u64 time;
	__u32 pid, tgid, cpu, flags;
	char comm[16];
	__u64 address, length, latency;
};

__u64 refused;	/* records that did not fit in a ring buffer */

static __u64 payload[64] = { 1 };

/* Not inlined, so that BTF describes its parameter. */
static __noinline void fill(struct bench_record *r)
{
	__u64 id = bpf_get_current_pid_tgid();

	r->time = bpf_ktime_get_ns();
	r->pid = id;
	r->tgid = id >> 32;
	r->cpu = bpf_get_smp_processor_id();
	r->flags = 3;
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	r->address = 0xffffffff81234567;
	r->length = 4096;
	r->latency = 12345;
}

#define FILL(size)								\
SEC("tc") int ring_##size(struct __sk_buff *ctx)				\
{										\
	bpf_ringbuf_output(&ring, payload, size, BPF_RB_NO_WAKEUP);		\
	return 0;								\
}										\
SEC("tc") int perf_##size(struct __sk_buff *ctx)				\
{										\
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, payload, size);	\
	return 0;								\
}

FILL(8)
FILL(64)
FILL(512)

SEC("tc") int ring_records(struct __sk_buff *ctx)
{
	struct bench_record r = {};

	fill(&r);
	bpf_ringbuf_output(&ring, &r, sizeof(r), BPF_RB_NO_WAKEUP);
	return 0;
}

/* The arguments are the registers and the number of the system call. */
SEC("raw_tp/sys_enter") int flood_perf(struct bpf_raw_tracepoint_args *ctx)
{
	struct bench_record r = {};

	if (ctx->args[1] != NR_GETPPID)
		return 0;
	fill(&r);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &r, sizeof(r));
	return 0;
}

SEC("raw_tp/sys_enter") int flood_ring(struct bpf_raw_tracepoint_args *ctx)
{
	struct bench_record *r;

	if (ctx->args[1] != NR_GETPPID)
		return 0;
	r = bpf_ringbuf_reserve(&large_ring, sizeof(*r), 0);
	if (!r) {
		__sync_fetch_and_add(&refused, 1);
		return 0;
	}
	fill(r);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
