// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Kernel configuration values of every type that an extern may have, and those set by the loader.
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int LINUX_KERNEL_VERSION __kconfig;
extern bool LINUX_HAS_BPF_COOKIE __kconfig __weak;
extern bool LINUX_HAS_SYSCALL_WRAPPER __kconfig __weak;
extern unsigned int CONFIG_HZ __kconfig;
extern unsigned long CONFIG_NR_CPUS __kconfig __weak;
extern bool CONFIG_BPF_SYSCALL __kconfig;
extern enum libbpf_tristate CONFIG_NET __kconfig;
extern enum libbpf_tristate CONFIG_NO_SUCH_OPTION __kconfig __weak;
extern char CONFIG_SMP __kconfig __weak;
extern char CONFIG_DEFAULT_HOSTNAME[16] __kconfig __weak;
extern short CONFIG_NO_SUCH_SHORT __kconfig __weak;

__u64 out[12];

SEC("perf_event")
int read_config(void *ctx)
{
	(void)ctx;
	out[0] = LINUX_KERNEL_VERSION;
	out[1] = LINUX_HAS_BPF_COOKIE;
	out[2] = LINUX_HAS_SYSCALL_WRAPPER;
	out[3] = CONFIG_HZ;
	out[4] = CONFIG_NR_CPUS;
	out[5] = CONFIG_BPF_SYSCALL;
	out[6] = CONFIG_NET;
	out[7] = CONFIG_NO_SUCH_OPTION;
	out[8] = CONFIG_SMP;
	out[9] = CONFIG_DEFAULT_HOSTNAME[0];
	out[10] = CONFIG_NO_SUCH_SHORT;
	if (LINUX_KERNEL_VERSION >= KERNEL_VERSION(5, 5, 0))
		out[11] = 1;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
