# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The peer: bcc compiles a program like that of small.bpf.c, attaches it on each CPU, and detaches it."""
from bcc import BPF, PerfSWConfig, PerfType

TEXT = """
BPF_HASH(hits, u32, u64, 1024);
BPF_ARRAY(total, u64, 1);
int sample(void *ctx)
{
	u32 cpu = bpf_get_smp_processor_id() + 7, zero = 0;
	u64 one = 1;

	total.increment(zero);
	hits.update(&cpu, &one);
	return 0;
}
"""
bpf = BPF(text=TEXT)
bpf.attach_perf_event(ev_type=PerfType.SOFTWARE, ev_config=PerfSWConfig.CPU_CLOCK, fn_name="sample", sample_freq=99)
bpf.detach_perf_event(ev_type=PerfType.SOFTWARE, ev_config=PerfSWConfig.CPU_CLOCK)
