// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A map of numbers whose struct is that of bpf_helpers.h: as in the pages on helpers that were written before BTF.
#include <linux/ptrace.h>
#include <linux/version.h>
#include <uapi/linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct bpf_map_def SEC("maps") counters = {
	.type = BPF_MAP_TYPE_PERF_EVENT_ARRAY,
	.key_size = sizeof(int),
	.value_size = sizeof(u32),
	.max_entries = 8,
};

SEC("kprobe/vfs_read")
int show_count(struct pt_regs *regs)
{
	u32 cpu = bpf_get_smp_processor_id();
	u64 count = bpf_perf_event_read(&counters, cpu);
	char format[] = "CPU %d: %llu\n";

	bpf_trace_printk(format, sizeof(format), cpu, count);
	return 0;
}

char _license[] SEC("license") = "GPL";
