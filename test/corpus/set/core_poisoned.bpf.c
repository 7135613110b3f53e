// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// CO-RE that cannot be resolved, in reachable code: a clear refusal is expected.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

struct task_struct {
	int pid;
	int no_kernel_has_this;
} __attribute__((preserve_access_index));

int out;

SEC("raw_tp/sys_enter")
int reached(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();

	(void)ctx;
	out = BPF_CORE_READ(t, no_kernel_has_this);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
