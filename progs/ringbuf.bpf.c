// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Write a record of each sample directly into a ring buffer that all CPUs share.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/*
 * Compared with one perf ring for each CPU, all CPUs share one buffer, records are in the order of
 * their reservation, and nothing is copied: the program fills the record in the memory from which
 * the reader reads it. max_entries is the size in bytes, a power of two and a multiple of the page
 * size.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} samples SEC(".maps");

struct sample {
	__u64 time;
	void *ip;
	__u32 tgid;
	__u32 pid;
	char comm[16];
};

/* Reservations that failed because the buffer was full. The kernel does not count them. */
__u64 dropped;

/* This function is not inlined, so that BTF describes its parameters, including struct sample. */
static __noinline void fill(struct sample *sample, struct bpf_perf_event_data *ctx)
{
	__u64 id = bpf_get_current_pid_tgid();

	sample->time = bpf_ktime_get_ns();
	sample->ip = (void *)PT_REGS_IP(&ctx->regs);
	sample->tgid = id >> 32;
	sample->pid = (__u32)id;
	bpf_get_current_comm(sample->comm, sizeof(sample->comm));
}

SEC("perf_event")
int ringbuf(struct bpf_perf_event_data *ctx)
{
	struct sample *sample;

	sample = bpf_ringbuf_reserve(&samples, sizeof(*sample), 0);
	if (!sample) {
		__sync_fetch_and_add(&dropped, 1);
		return 0;
	}
	fill(sample, ctx);

	/* Hand the record to the reader. The verifier rejects a path that omits this. */
	bpf_ringbuf_submit(sample, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
