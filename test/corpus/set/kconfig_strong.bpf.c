// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A value that no configuration has, in a strong extern: it must be refused by name.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int CONFIG_PLOAD_NO_SUCH_OPTION __kconfig;

__u64 out;

SEC("perf_event")
int read_config(void *ctx)
{
	(void)ctx;
	out = CONFIG_PLOAD_NO_SUCH_OPTION;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
