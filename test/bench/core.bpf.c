// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A small object with CO-RE relocations, to measure what reading the kernel's types costs. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

struct task_struct {
	int pid, tgid;
	struct task_struct *real_parent;
} __attribute__((preserve_access_index));

__u64 total;

SEC("perf_event")
int sample(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();

	total += BPF_CORE_READ(t, tgid) + BPF_CORE_READ(t, real_parent, tgid) +
		 bpf_core_field_exists(t->pid);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
