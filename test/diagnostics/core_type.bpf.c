// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The name of a struct has a typing mistake.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

struct tsk_struct {
	int pid;
} __attribute__((preserve_access_index));

int pid;

SEC("perf_event")
int record(void *ctx)
{
	struct tsk_struct *task = (void *)bpf_get_current_task();

	pid = BPF_CORE_READ(task, pid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
