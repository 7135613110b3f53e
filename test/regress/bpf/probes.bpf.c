// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports through a ring that a probe was hit, for tests of the lifetime of probes. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} reached SEC(".maps");

SEC("kprobe")
int on_probe(void *ctx)
{
	const __u64 magic = 0x6465626f7270;

	bpf_ringbuf_output(&reached, (void *)&magic, sizeof(magic), 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
