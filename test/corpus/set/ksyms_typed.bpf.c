// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Typed kernel variables, including per-CPU ones, and a weak one that does not exist.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct rq {
	unsigned int nr_running;
} __attribute__((preserve_access_index));

extern const struct rq runqueues __ksym;
extern const int cpu_number __ksym __weak;
extern const int no_such_variable __ksym __weak;

__u64 out[4];

SEC("raw_tp/sys_enter")
int variables(void *ctx)
{
	struct rq *rq = bpf_per_cpu_ptr(&runqueues, 0);
	const int *cpu;

	(void)ctx;
	if (rq)
		out[0] = rq->nr_running;
	rq = bpf_this_cpu_ptr(&runqueues);
	out[1] = rq->nr_running;
	if (bpf_ksym_exists(&cpu_number)) {
		cpu = bpf_this_cpu_ptr(&cpu_number);
		out[2] = *cpu;
	}
	if (bpf_ksym_exists(&no_such_variable))
		out[3] = no_such_variable;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
