// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The name of a field has a typing mistake.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

struct task_struct {
	int pidd;
} __attribute__((preserve_access_index));

int pid;

SEC("perf_event")
int record(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	pid = BPF_CORE_READ(task, pidd);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
