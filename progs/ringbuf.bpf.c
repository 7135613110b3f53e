// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One record for each sample, written in place into a ring buffer that all CPUs share.
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/*
 * Against one perf ring for each CPU: one memory for all, records in the order they were reserved,
 * and no copy, since the program fills the record where the reader will find it. max_entries is
 * the size in bytes, a power of two and whole pages.
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

/* Reservations that found no room. The ring buffer does not count them itself. */
__u64 dropped;

/* Not inlined, so that its parameters, and with them struct sample, are in the object's BTF. */
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

	/* From here on it is the reader's. The verifier refuses a way out that forgets this. */
	bpf_ringbuf_submit(sample, 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
