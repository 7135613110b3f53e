// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Externs that the loader itself sets: no configuration file is needed.
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int LINUX_KERNEL_VERSION __kconfig;
extern bool LINUX_HAS_BPF_COOKIE __kconfig;
extern bool LINUX_HAS_SYSCALL_WRAPPER __kconfig;

__u64 out[3];

SEC("perf_event")
int read_values(void *ctx)
{
	(void)ctx;
	out[0] = LINUX_KERNEL_VERSION;
	out[1] = LINUX_HAS_BPF_COOKIE;
	out[2] = LINUX_HAS_SYSCALL_WRAPPER;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
